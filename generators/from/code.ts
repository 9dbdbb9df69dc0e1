/** Source text of a value. U+2028 and U+2029 stay as escapes. */
export const literal = (value: unknown): string => {
  if (typeof value === 'string') return quoted(value)
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).map(([key, member]) => `${keyOf(key)}: ${literal(member)}`)
  return members.length ? `{ ${members.join(', ')} }` : '{}'
}

const quoted = (text: string): string => {
  const inner = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")
  return `'${escapeSeparators(inner)}'`
}

/** Formatters take these two characters for the end of a line. */
export const escapeSeparators = (text: string): string =>
  text.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')

/**
 * The first lines of a module that is written from a document: its texts and names break rules of style, and its
 * patterns stay texts, because a literal cannot hold all of them.
 */
export const HEADER = `// biome-ignore-all format: written from a document
// biome-ignore-all lint: written from a document`

/** A key of an object: a name or a whole number where that is possible. `__proto__` would set the prototype. */
export const keyOf = (key: string): string => {
  if (key === '__proto__') return `['__proto__']`
  return /^([A-Za-z_$][\w$]*|[1-9]\d{0,8})$/.test(key) ? key : quoted(key)
}

/** An object, a list or a call with its items: on one line if that is short, else one item a line. */
export const block = (open: string, items: readonly string[], close: string): string => {
  const space = open.endsWith('{') && items.length ? ' ' : ''
  const line = `${open}${space}${items.join(', ')}${space}${close}`
  if (line.length <= 88 && !line.includes('\n')) return line
  return `${open}\n${items.map((item) => `${indented(item)},\n`).join('')}${close}`
}

/** Indent each line that is not empty by two columns. */
export const indented = (text: string): string => text.replace(/^(?=.)/gm, '  ')

/** Words that cannot be the name of a constant in a module, or that the generated module uses itself. */
const TAKEN = new Set(
  (
    'break case catch class const continue debugger default delete do else enum export extends false finally for function if implements import in ' +
    'instanceof interface let new null package private protected public return static super switch this throw true try typeof var void while with ' +
    'yield await async arguments z named operations todo toNumber createApp Context describe refuse validateBody validateHeaders validateParams ' +
    'validateQuery'
  ).split(' '),
)

/** A schema called `Error` must not take the place of the global one in the handlers that will be added. */
const isTaken = (word: string): boolean => TAKEN.has(word) || word in globalThis

/** Names for constants that differ from each other. */
export const createNames = (): ((wanted: string) => string) => {
  const used = new Set<string>()
  return (wanted) => {
    const word = wanted.replace(/[^\w$]+(\w?)/g, (_, next: string) => next.toUpperCase())
    const start = /^[A-Za-z_$]/.test(word) && !isTaken(word) ? word : `_${word}`
    let name = start
    for (let count = 2; used.has(name); count++) name = `${start}_${count}`
    used.add(name)
    return name
  }
}
