import { DEV } from '#mode'
import { nearestName } from './suggest.ts'

/**
 * Check an option when its function is made.
 *
 * @param name the function and the option: `cors: maxAge`
 * @param got the actual value; pass `typeof secret` for a value that must not appear in a log
 * @throws {TypeError} `cors: maxAge: expected a whole number of seconds, got "1y"`, unless it is valid.
 */
export const checkOption: (isValid: unknown, name: string, expected: string, got: unknown) => asserts isValid = (
  isValid,
  name,
  expected,
  got,
) => {
  if (!isValid) throw new TypeError(DEV ? `${name}: expected ${expected}, got ${textOf(got)}` : name)
}

/**
 * Refuse unknown option names, and values of the wrong type.
 *
 * @param feature the function whose options these are: `cors`
 * @param names the known names, separated by spaces; `credentials:boolean` also checks the `typeof`
 * @throws {TypeError} `cors: orgin: unknown option, did you mean "origin"?`, or all names if none is similar
 */
export const checkNames = (feature: string, options: object, names: string): void => {
  checkRecord(options, feature, 'an object of options')
  // A name alone has no type, so its value is undefined
  const typesByName = new Map(names.split(' ').map((entry) => entry.split(':') as [string, string]))
  for (const [name, value] of Object.entries(options)) {
    const option = `${feature}: ${name}`
    if (!typesByName.has(name)) {
      const near = nearestName(name, typesByName.keys())
      const hint = near ? `did you mean "${near}"?` : `expected one of ${[...typesByName.keys()].join(', ')}`
      throw new TypeError(`${option}: unknown option, ${hint}`)
    }
    const type = typesByName.get(name)
    if (type && value !== undefined)
      checkOption(typeof value === type, option, `${type === 'object' ? 'an' : 'a'} ${type}`, value)
  }
}

/**
 * Refuse a promise, a function, a list or a map. The message names only the kind, because the value may be a secret.
 *
 * @throws {TypeError} `session: cookie: expected an object of options, got "Promise"`
 */
export const checkRecord = (value: unknown, name: string, expected: string): void => {
  const kind = {}.toString.call(value).slice(8, -1)
  checkOption(kind === 'Object', name, expected, value ? kind : value)
}

/** @throws {TypeError} `rateLimiter: windowMs: expected a whole number of milliseconds from 1, got 0` */
export const checkWhole = (value: unknown, name: string, unit: string, min = 0): void => {
  const isWhole = Number.isSafeInteger(value) && (value as number) >= min // an integer is a number
  checkOption(isWhole, name, `a whole number of ${unit} from ${min}`, value)
}

const textOf = (value: unknown): string => {
  try {
    // `undefined` may be the string that `typeof` returned for a missing secret
    return String(value !== 'undefined' && /^[os]/.test(typeof value) ? JSON.stringify(value) : value).slice(0, 80)
  } catch {
    return typeof value
  }
}
