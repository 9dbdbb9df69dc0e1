import { nearest } from './suggest.ts'

/**
 * Refuse a bad option when the thing is made.
 *
 * @param name the function and the option: `cors: maxAge`
 * @param expected what would have been accepted, with its article: `a whole number of seconds`
 * @param got what came; pass `typeof secret` for a value that must not reach a log
 * @throws {TypeError} `cors: maxAge: expected a whole number of seconds, got "1y"`, unless `fine`.
 */
export const checkOption: (fine: unknown, name: string, expected: string, got: unknown) => asserts fine = (
  fine,
  name,
  expected,
  got,
) => {
  if (!fine) throw new TypeError(`${name}: expected ${expected}, got ${textOf(got)}`)
}

/**
 * Refuse option names that nobody reads, since most of them are misspelt, and values of the wrong type.
 *
 * @param feature the function whose options these are: `cors`
 * @param names the names that it knows, separated by spaces; `credentials:boolean` also asks for a `typeof`
 * @throws {TypeError} `cors: orgin: unknown option, did you mean "origin"?`
 */
export const checkNames = (feature: string, options: object, names: string): void => {
  checkOption(Object(options) === options, feature, 'an object of options', options)
  // A name alone has no type, so its value is undefined
  const known = new Map(names.split(' ').map((entry) => entry.split(':') as [string, string]))
  for (const [name, value] of Object.entries(options)) {
    const option = `${feature}: ${name}`
    if (!known.has(name))
      throw new TypeError(`${option}: unknown option, did you mean "${nearest(name, known.keys())}"?`)
    const type = known.get(name)
    const fine = !type || value === undefined || typeof value === type
    checkOption(fine, option, `${type === 'object' ? 'an' : 'a'} ${type}`, value)
  }
}

/**
 * Refuse what is not a whole number, or less than the least that makes sense.
 *
 * @param of the unit: `seconds`
 * @throws {TypeError} `rateLimiter: windowMs: expected a whole number of milliseconds from 1, got 0`
 */
export const checkWhole = (value: unknown, name: string, of: string, least = 0): void =>
  checkOption(
    Number.isSafeInteger(value) && (value as number) >= least, // an integer is a number
    name,
    `a whole number of ${of} from ${least}`,
    value,
  )

/** The value as its author recognises it, on one short line. */
const textOf = (value: unknown): string => {
  try {
    return String(/^[os]/.test(typeof value) ? JSON.stringify(value) : value).slice(0, 80)
  } catch {
    return typeof value
  }
}
