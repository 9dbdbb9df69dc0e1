import { listEnv, readEnv } from '#runtime/core'

/**
 * The current value of an environment variable, or the default if it is absent. An empty variable is present. Values of
 * {@link bindEnv} override those of the process.
 *
 * @example
 * env('HOST') // string | undefined
 * env('PORT', '3000') // string
 */
export function env(name: string): string | undefined
export function env(name: string, fallback: string): string
export function env(name: string, fallback?: string): string | undefined {
  return [bound[name], readEnv(name)].find(isString) ?? fallback
}

/**
 * Let {@link env} read the values that a platform passes to `fetch`, instead of earlier ones. Only strings are read.
 *
 * @example
 * export default { fetch: (request, values) => (bindEnv(values), app.fetch(request, values)) }
 */
export const bindEnv = (values: object): void => {
  bound = values as Record<string, unknown>
}

let bound: Readonly<Record<string, unknown>> = {}

/** Inherited properties, such as `constructor`, are never strings. */
const isString = (value: unknown): value is string => typeof value === 'string'

/**
 * A variable as a boolean: `true`, `1`, `yes`, `on`, `y`, `enabled` and their opposites, in any case.
 *
 * @throws {TypeError} for anything else, with the name and not the value
 * @example
 * envBool('DEBUG', false)
 */
export function envBool(name: string): boolean | undefined
export function envBool(name: string, fallback: boolean): boolean
export function envBool(name: string, fallback?: boolean): boolean | undefined {
  const value = env(name)?.trim().toLowerCase()
  if (!value) return fallback
  if (/^(?:true|1|yes|on|y|enabled)$/.test(value)) return true
  if (/^(?:false|0|no|off|n|disabled)$/.test(value)) return false
  throw new TypeError(`environment variable ${name} must be a boolean`)
}

/**
 * A variable as a whole number in decimal.
 *
 * @throws {TypeError} for anything else, with the name and not the value
 * @example
 * envInt('PORT', 3000)
 */
export function envInt(name: string): number | undefined
export function envInt(name: string, fallback: number): number
export function envInt(name: string, fallback?: number): number | undefined {
  const value = env(name)?.trim()
  if (!value) return fallback
  const number = Number(value)
  if (/^[+-]?\d+$/.test(value) && Number.isSafeInteger(number)) return number
  throw new TypeError(`environment variable ${name} must be a whole number`)
}

/**
 * A variable as the list of its comma-separated parts, trimmed, empty ones left out.
 *
 * @example
 * envList('ORIGINS', []) // ORIGINS='https://a.example, https://b.example'
 */
export function envList(name: string): string[] | undefined
export function envList(name: string, fallback: readonly string[]): string[]
export function envList(name: string, fallback?: readonly string[]): string[] | undefined {
  const value = env(name)
  if (value === undefined) return fallback && [...fallback]
  const parts = value.split(',').map((part) => part.trim())
  return parts.filter((part) => part !== '')
}

/** Every variable that {@link env} can see, in a record without a prototype. */
export const allEnv = (): Record<string, unknown> => Object.assign(Object.create(null), listEnv(), bound)
