/** Options of `time`. */
export interface TimeOptions {
  /** Digits of the fraction; 0 means none, -1 no seconds either. @default any, or no fraction */
  readonly precision?: number | null | undefined
}

/** Options of `datetime`. */
export interface DateTimeOptions extends TimeOptions {
  /** Accept `+02:00` as well as `Z`. @default false */
  readonly offset?: boolean | undefined
  /** Accept a time without a zone. @default false */
  readonly local?: boolean | undefined
}

/** Whether the day exists. `Date.parse` reads `2027-02-30` as a day of March. */
export const isDate = (value: string): boolean => {
  const time = /^\d{4}-\d\d-\d\d$/.test(value) ? Date.parse(value) : Number.NaN
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(value)
}

const timeSource = ({ precision }: TimeOptions): string => {
  if (precision === -1) return '(?:[01]\\d|2[0-3]):[0-5]\\d'
  const fraction = precision ? `\\.\\d{${precision}}` : precision === 0 ? '' : '(?:\\.\\d+)?'
  return `(?:[01]\\d|2[0-3]):[0-5]\\d(?::[0-5]\\d${fraction})${precision ? '' : '?'}`
}

export const timePattern = (options: TimeOptions): RegExp => new RegExp(`^${timeSource(options)}$`)

/** A day, which need not exist, `T`, a time and a zone. */
export const dateTimePattern = (options: DateTimeOptions): RegExp => {
  const zone = `Z${options.local ? '?' : ''}${options.offset ? '|[+-]\\d\\d:?\\d\\d' : ''}`
  return new RegExp(`^\\d{4}-\\d\\d-\\d\\dT${timeSource(options)}(?:${zone})$`)
}

/** Only the last number may have a fraction, of any unit. */
export const isDuration = (): ((value: string) => boolean) => {
  const part = (unit: string): string => `(?:[-+]?\\d+(?:[.,]\\d+${unit}$|${unit}))?`
  const day = [...'YMWD'].map(part).join('')
  const pattern = new RegExp(`^[-+]?P(?!$)${day}(?:T(?=[\\d+-])${part('H')}${part('M')}${part('S')})?$`)
  return (value) => pattern.test(value)
}

const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$/

/** Refuses zeros before a number. */
const isIpv4 = (value: string): boolean => IPV4.test(value) && !/(?:^|\.)0\d/.test(value)

/** The part before an IPv4 address, whose bytes may begin with zeros here. */
const MAPPED = /^(?:::(?:ffff(?::0{1,4})?:)?|(?:[\da-fA-F]{1,4}:){1,4}:)(?=\d)/

const SCOPED = /^fe80:(?::[\da-fA-F]{0,4}){0,4}%[\da-zA-Z]+$/

/** Eight groups, or fewer around one `::`. */
const isIpv6 = (value: string): boolean => {
  const halves = value.split('::', 3)
  const groups = halves.flatMap((half) => (half ? half.split(':', 9) : []))
  if (groups.every((group) => /^[\da-f]{1,4}$/i.test(group))) {
    return halves.length === 2 ? groups.length < 8 : halves.length === 1 && groups.length === 8
  }
  return SCOPED.test(value) || (MAPPED.test(value) && IPV4.test(value.replace(MAPPED, '')))
}

export const isIp = (value: string, version?: 'v4' | 'v6'): boolean =>
  (version !== 'v6' && isIpv4(value)) || (version !== 'v4' && isIpv6(value))

export const isCidr = (value: string, version?: 'v4' | 'v6'): boolean => {
  const [address = '', bits = '', more] = value.split('/', 3)
  const max = isIpv4(address) ? 32 : 128
  return more === undefined && isIp(address, version) && /^(?:0|[1-9]\d{0,2})$/.test(bits) && Number(bits) <= max
}

/** The first of three parts is JSON with an algorithm, and with the type `JWT` if it has one. */
export const isJwt = (value: string, alg?: string): boolean => {
  if (!/^[\w-]+\.[\w-]+\.[\w-]*$/.test(value)) return false
  try {
    const header: unknown = JSON.parse(atob(value.split('.', 1)[0]!.replaceAll('-', '+').replaceAll('_', '/')))
    if (typeof header !== 'object' || header === null) return false
    const { typ = 'JWT', alg: algorithm } = header as { typ?: unknown; alg?: unknown }
    return typ === 'JWT' && !!algorithm && (!alg || algorithm === alg)
  } catch {
    return false
  }
}
