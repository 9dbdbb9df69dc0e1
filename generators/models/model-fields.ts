import { FIELD_TYPES } from '../fields/field-types.ts'
import { type Field, parseFields } from '../fields/fields.ts'
import { OWN_COLUMNS } from '../names/field-names.ts'
import { definedFields, definedTable, isDefined } from './defined-model.ts'

/** The beginning of a static field, in a line of its own. */
const STATIC = '^[ \\t]*(?:public |override )?static (?:override )?(?:readonly )?'

/** The entries of `columns`: up to a `}` that begins a line, or on one line. */
const COLUMNS = /static (?:override )?(?:readonly )?columns = \{(?:[ \t]*(?:\/\/.*)?\n([\s\S]*?)^\s*\}|([^}\n]*)\})/m

/** Comments that begin a line: they are not about the column before. */
const REMARKS = /^[ \t]*(?:\/\/.*|\/\*[\s\S]*?\*\/)/gm

/** A column, its kind, and the comment behind it. */
const COLUMN = /(?:^|,)\s*["']?(\w+)["']?\s*:\s*["'](\w+)["'](?:,?[ \t]*\/\/ *(.*))?/gm

/**
 * The fields that a model file declares, so that a file that is generated later matches the model: those of
 * `Model.define`, else those of `static columns`, with the field type in a comment behind them if the code does not say
 * it.
 */
export const fieldsOfModel = (source: string): readonly Field[] => {
  if (isDefined(source)) return definedFields(source)
  const [, lines, line = ''] = COLUMNS.exec(source.replace(REMARKS, '')) ?? []
  return [...(lines ?? line).matchAll(COLUMN)].flatMap(([, name = '', kind = '', spec = kind]) => {
    if (OWN_COLUMNS.includes(name)) return []
    // A field is required if it has a property with `!` and without `| null`
    const ts = propertyOf(source, name)
    const optional = ts === undefined || ts.endsWith(' | null')
    const fields = readField(name, spec.trim(), kind, optional)
    // An address in a column of kind `string`: the model does not normalize it.
    return fields.map((field) => (field.kind === 'email' && kind === 'string' ? { ...field, kind } : field))
  })
}

/** A field of this specification; if that cannot be read, of this type. */
export const readField = (name: string, spec: string, type: string, optional: boolean): readonly Field[] => {
  const ending = optional ? '?' : ''
  try {
    return parseFields(`${name}:${spec}${ending}`)
  } catch {
    return Object.hasOwn(FIELD_TYPES, type) ? parseFields(`${name}:${type}${ending}`) : []
  }
}

/** The type of a property that a class declares, with `!` or with `declare`. */
const propertyOf = (source: string, name: string): string | undefined =>
  new RegExp(
    `^\\s+(?:public |override |readonly )*(?:declare (?:readonly )?${name}|${name}!): (.*?);? *(?://.*)?$`,
    'm',
  ).exec(source)?.[1]

/** The type of the key that a model file declares; undefined if it declares none. */
export const keyOfModel = (source: string): string | undefined =>
  propertyOf(source, 'id') ?? (isDefined(source) ? 'number' : undefined)

/** The switches of `sluice g model` that would write such a model again. */
export const flagsOfModel = (source: string): readonly string[] => [
  ...(isOn(source, 'softDelete') ? ['soft-delete'] : []),
  ...(isOn(source, 'version') ? ['lock'] : []),
  ...((isDefined(source) ? /\btimestamps: false\b/.test(source) : !isOn(source, 'timestamps'))
    ? ['no-timestamps']
    : []),
]

const isOn = (source: string, name: string): boolean =>
  new RegExp(`${STATIC}${name}(?:: boolean)? = true`, 'm').test(source) ||
  (isDefined(source) && new RegExp(`\\b${name}: true\\b`).test(source))

/** The table of a model file, or undefined if the file does not name it. */
export const tableOfModel = (source = ''): string | undefined =>
  definedTable(source) ?? new RegExp(`${STATIC}tableName(?:: string)? = ['"](\\w+)['"]`, 'm').exec(source)?.[1]
