import { checkOption } from '../options/check.ts'

/** How {@link createCleaner} treats markup. */
export interface CleanRules {
  /** Remove tags and comments, and the code in `script` and `style`. @default true */
  readonly stripTags?: boolean
  /** Write `&`, `<`, `>`, `"` and `'` of what remains as character references. @default true */
  readonly escapeHtml?: boolean
  /** Tags that are kept, without their attributes: `['b', 'i', 'br']`. @default [] */
  readonly allowedTags?: readonly string[]
}

/** Converts a string to one whose only markup is allowed tags without attributes. */
export type Cleaner = (text: string) => string

/** Start of a tag with its name, or of a comment (HTML §13.2.5.6). */
const MARKUP = /<(?:(\/?)([a-z][^\t\n\f\r />]*)|!--|[!?/])/gi

/** End of a comment. It may share the dashes of the start: `<!-->`. */
const COMMENT_END = /--!?>/g

/** End of a tag, or a quoted value, which must be skipped. */
const TAG_END = /=[\t\n\f\r ]*(?:"[^"]*"|'[^']*')|>/g

/** Other programs may drop these characters, and then `<\0script>` becomes a tag. */
const CONTROLS = /[\0-\x08\x0b\x0e-\x1f\x7f]/g

const SPECIAL = /[&<>"']/g
const REFERENCES: Readonly<Record<string, string>> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": '#39' }

/** Elements whose text is code, which is removed with the tags. */
const CODE = /^s(cript|tyle)$/

/** Elements that change how their content is parsed, so they cannot be made safe. */
const REFUSED =
  /^(script|style|svg|math|iframe|template|textarea|title|xmp|plaintext|no(script|embed|frames)|frameset|select)$/i

/** Elements without an end tag. */
const VOID = /^(br|hr|wbr|img)$/

/** Maximum number of tracked open elements: browsers nest at most 512 levels. */
const MAX_OPEN = 100

/**
 * Create the function that cleans one string, in linear time: other tags are removed, the rest is escaped, allowed tags
 * keep only their name and are closed at the end of the text. What is misread becomes text, never a tag.
 */
export const createCleaner = ({ stripTags = true, escapeHtml = true, allowedTags = [] }: CleanRules): Cleaner => {
  checkOption(Array.isArray(allowedTags), 'sanitizer: allowedTags', 'a list of tags', allowedTags)
  const allowed = new Set(allowedTags.map(toTagName))
  const writeRest = escapeHtml ? escapeText : String
  const write = stripTags && !escapeHtml ? withoutLooseEnd : writeRest
  return (text) => {
    const input = text.replace(CONTROLS, '')
    const open: string[] = []
    let output = ''
    let at = 0
    while (at < input.length) {
      const match = nextMatch(MARKUP, input, at)
      if (!match) break
      const name = match[2]?.toLowerCase()
      const end = endOfMarkup(input, match, name, stripTags)
      output += write(input.slice(at, match.index))
      at = end || input.length
      if (end && allowed.has(name!))
        output += match[1] ? close(open, open.lastIndexOf(name!)) : markupStart(open, name!)
      else if (!stripTags) output += write(input.slice(match.index, at))
    }
    return output + writeRest(input.slice(at)) + close(open, 0)
  }
}

const escapeText = (text: string): string => text.replace(SPECIAL, (character) => `&${REFERENCES[character]};`)

/** A trailing `<` could form a new tag with the text after the removed tag, as in `<<i>script>`. */
const withoutLooseEnd = (text: string): string => {
  let end = text.length
  while (text[end - 1] === '<') end--
  return text.slice(0, end)
}

/** Index after the markup and the code that is removed with it; 0 if it never ends. */
const endOfMarkup = (input: string, start: RegExpExecArray, name: string | undefined, strip: boolean): number => {
  const pattern = start[0] === '<!--' ? COMMENT_END : TAG_END
  nextMatch(pattern, input, start.index + 2)
  if (!strip || start[1] || !CODE.test(name!) || !pattern.lastIndex) return pattern.lastIndex
  const codeEnd = new RegExp(`(?=</${name}[\\s/>])`, 'gi')
  nextMatch(codeEnd, input, pattern.lastIndex)
  return codeEnd.lastIndex
}

/** The next match that is not a quoted value; `lastIndex` of the pattern is then after it, or 0. */
const nextMatch = (pattern: RegExp, input: string, from: number): RegExpExecArray | null => {
  pattern.lastIndex = from
  let match = pattern.exec(input)
  while (match?.[0][0] === '=') match = pattern.exec(input)
  return match
}

const markupStart = (open: string[], name: string): string =>
  VOID.test(name) || (open.length < MAX_OPEN && open.push(name)) ? `<${name}>` : ''

/** Close the element at `index` and those opened inside it; closes nothing if `index` is -1. */
const close = (open: string[], index: number): string =>
  index < 0 ? '' : open.splice(index).reduceRight((tags, tag) => `${tags}</${tag}>`, '')

const toTagName = (tag: string): string => {
  const isTag = typeof tag === 'string' && /^[a-z][a-z\d-]*$/i.test(tag) && !REFUSED.test(tag)
  checkOption(isTag, 'sanitizer: allowedTags', 'tags that can be made safe, such as "b"', tag)
  return tag.toLowerCase()
}

/** Maximum nesting, as in the body parser: much deeper values would overflow the stack. */
const MAX_DEPTH = 100

/**
 * Copy a value with every string and every key in its lists and records cleaned; `__proto__` is removed, and the last
 * of equal keys wins. Anything else (numbers, files, instances of classes) is kept as the same object. Cycles are kept;
 * lists and records more than 100 levels deep become `null`.
 */
export const cleanValue = (
  value: unknown,
  clean: Cleaner,
  depth = 0,
  copies: Map<object, object> = new Map(),
): unknown => {
  if (typeof value === 'string') return clean(value)
  if (!isContainer(value)) return value
  const copied = copies.get(value)
  if (copied) return copied
  if (depth === MAX_DEPTH) return null
  const copy = Array.isArray(value) ? [] : Object.create(Object.getPrototypeOf(value))
  copies.set(value, copy)
  for (const [name, item] of Object.entries(value)) {
    const key = clean(name)
    if (key !== '__proto__') copy[key] = cleanValue(item, clean, depth + 1, copies)
  }
  return copy
}

/** A list or a plain record, as parsers create. */
const isContainer = (value: unknown): value is object => {
  if (Object(value) !== value) return false
  const prototype = Object.getPrototypeOf(value)
  return Array.isArray(value) || !prototype || !Object.getPrototypeOf(prototype)
}
