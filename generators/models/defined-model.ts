import { type Field, parseFields } from '../fields/fields.ts'
import { OWN_COLUMNS } from '../names/field-names.ts'

/** True if a model file calls `Model.define`. */
export const isDefined = (source: string): boolean => DEFINE.test(source)

const DEFINE = /\bModel\.define\(\s*['"`](\w+)['"`]\s*,\s*\{/

/** The table that `Model.define` names. */
export const definedTable = (source: string): string | undefined => DEFINE.exec(source)?.[1]

/** An entry of an object of fields, and the comment behind it. */
interface Entry {
  readonly text: string
  readonly remark: string
}

/**
 * The columns of `Model.define` in a model file, so that a file that is generated later matches it. A comment with a
 * field type goes before what the code says. A class with `static columns` has none here.
 */
export const fieldsOfModel = (source: string): readonly Field[] => columnsIn(source).flatMap(fieldsOfEntry)

/** The fields that {@link fieldsOfModel} leaves out although they are columns, such as `state: t.enum(STATES)`. */
export const unreadFields = (source: string): readonly string[] =>
  columnsIn(source)
    .filter((entry) => fieldsOfEntry(entry).length === 0)
    .map(({ text }) => (text.split(':')[0] ?? '').replaceAll(/['"\s]/g, ''))
    .filter((name) => !OWN_COLUMNS.includes(name))

const columnsIn = (source: string): readonly Entry[] => scan(source).entries.filter(({ text }) => !TO_MANY.test(text))

const TO_MANY = /^['"]?\w+['"]?\s*:\s*t\s*\.\s*(?:hasMany|hasOne|manyToMany)\b/

const fieldsOfEntry = ({ text, remark }: Entry): readonly Field[] => {
  const [head = '', name = '', type = ''] = ENTRY.exec(text) ?? []
  const [args, rest] = splitCall(text.slice(head.length))
  const spec = specOf(type, args)
  if (spec === undefined || OWN_COLUMNS.includes(name)) return []
  const unique = /\.unique\(\)/.test(rest) ? ':unique' : ''
  const optional = /\.nullable\(\)/.test(rest) ? '?' : ''
  const visibility = /\.(readonly|hidden)\(\)/.exec(rest)?.[1] as Field['visibility']
  const more = { ...(visibility && { visibility }), ...(/\.default\(/.test(rest) && { hasDefault: true }) }
  // A reference that is unique cannot be written in the command line, and a comment need not say it
  const texts = [remark, spec + unique, spec].map((each) => `${name}:${each}${optional}`)
  return parseFirst(texts).map((field) => ({ ...field, ...(unique && { unique: true }), ...more }))
}

const ENTRY = /^['"]?(\w+)['"]?\s*:\s*t\s*\.\s*(\w+)\s*\(/

/** The arguments of a call, and what follows its closing bracket. */
const splitCall = (text: string): readonly [args: string, rest: string] => {
  let depth = 1
  let at = 0
  for (const [piece] of text.matchAll(PIECE)) {
    if (/^[([{]$/.test(piece)) depth++
    if (/^[)\]}]$/.test(piece)) depth--
    if (depth === 0) return [text.slice(0, at), text.slice(at + 1)]
    at += piece.length
  }
  return [text, '']
}

/** The field type of the command line: `string(40)` of `t.string(40)`; undefined for what is no call of `t`. */
const specOf = (type: string, args: string): string | undefined => {
  if (type === '') return undefined
  if (type === 'belongsTo') return `references(${/=>\s*(\w+)/.exec(args)?.[1] ?? ''})`
  if (type === 'enum') {
    const values = Array.from(args.matchAll(LITERAL), ([, single, double]) => single ?? double)
    // Without a value, it is not parsed
    return `enum(${/^(?:[[\],\s]|as const)*$/.test(args.replaceAll(LITERAL, '')) ? values.join(',') : ''})`
  }
  if (type === 'json') return 'json'
  const words = args.replaceAll(/[\s_]/g, '')
  return words === '' ? type : `${type}(${words})`
}

const LITERAL = /'([^']*)'|"([^"]*)"/g

/** The fields of the first text that can be parsed; none if none can. */
export const parseFirst = (texts: readonly string[]): readonly Field[] => {
  for (const text of texts) {
    try {
      return parseFields(text)
    } catch {}
  }
  return []
}

/** A model file with one more field, before the end of its fields; unchanged if it has one of that name. */
export const withField = (source: string, name: string, define: string): string => {
  const { end, entries } = scan(source)
  if (end === undefined || entries.some(({ text }) => new RegExp(`^\\s*${name}\\s*:`).test(text))) return source
  const before = source.slice(0, end).trimEnd()
  const comma = /[,{]$/.test(before) || entries.at(-1)?.remark ? '' : ','
  return `${before}${comma}\n  ${name}: ${define},\n${source.slice(end)}`
}

/** Reads the object of fields, past strings, comments and brackets: the place of its closing brace, and its entries. */
const scan = (source: string): { readonly end?: number; readonly entries: readonly Entry[] } => {
  const match = DEFINE.exec(source)
  if (match === null) return { entries: [] }
  const entries: Entry[] = []
  let text = ''
  let depth = 0
  const add = (remark: string): void => {
    if (text.trim() !== '') entries.push({ text: text.trim(), remark })
    text = ''
  }
  const pieces = source.slice(match.index + match[0].length).matchAll(PIECE)
  let at = match.index + match[0].length
  for (const [piece] of pieces) {
    if (depth === 0 && piece === '}') {
      add('')
      return { end: at, entries }
    }
    at += piece.length
    if (/^\/[/*]/.test(piece)) {
      const last = entries.at(-1)
      // A comment behind an entry is in its line
      if (piece.startsWith('//') && last?.remark === '' && text.trim() === '' && !text.includes('\n'))
        entries[entries.length - 1] = { ...last, remark: piece.slice(2).trim() }
      continue
    }
    if (/^[([{]$/.test(piece)) depth++
    if (/^[)\]}]$/.test(piece)) depth--
    if (piece === ',' && depth === 0) add('')
    else text += piece
  }
  return { entries }
}

/** A comment, a string, a bracket or another character. */
const PIECE = /\/\/.*|\/\*[\s\S]*?\*\/|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|[\s\S]/g
