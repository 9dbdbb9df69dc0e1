import { FIELD_TYPES } from './field-types.ts'
import { type Field, OWN_COLUMNS, parseFields } from './fields.ts'

/** The beginning of a static field, in a line of its own. */
const STATIC = '^[ \\t]*(?:public |override )?static (?:override )?(?:readonly )?'

/** The entries of `columns`: up to a `}` that begins a line, or on one line. */
const COLUMNS = /static (?:override )?(?:readonly )?columns = \{(?:[ \t]*(?:\/\/.*)?\n([\s\S]*?)^\s*\}|([^}\n]*)\})/m

/** Comments that begin a line: they are not about the column before. */
const REMARKS = /^[ \t]*(?:\/\/.*|\/\*[\s\S]*?\*\/)/gm

/** A column, its kind, and the comment behind it. */
const COLUMN = /(?:^|,)\s*["']?(\w+)["']?\s*:\s*["'](\w+)["'](?:,?[ \t]*\/\/ *(.*))?/gm

/**
 * The fields that a model file declares, so that a controller or validator that is generated later matches the model.
 * Reads the entries of `columns`, with the field type in a comment as the model template writes it. A field is required
 * if it has a property with `!` and without `| null`.
 */
export const fieldsOfModel = (source: string): readonly Field[] => {
  const [, lines, line = ''] = COLUMNS.exec(source.replace(REMARKS, '')) ?? []
  return [...(lines ?? line).matchAll(COLUMN)].flatMap(([, name = '', kind = '', spec = kind]) => {
    if (OWN_COLUMNS.includes(name)) return []
    const ts = propertyOf(source, name)
    const optional = ts === undefined || ts.endsWith(' | null')
    try {
      const fields = parseFields(`${name}:${spec.trim()}${optional ? '?' : ''}`)
      // An address in a column of kind `string`: the model does not normalize it.
      return fields.map((field) => (field.kind === 'email' && kind === 'string' ? { ...field, kind } : field))
    } catch {
      // The comment is not a field type: only the kind is known.
      return Object.hasOwn(FIELD_TYPES, kind) ? parseFields(`${name}:${kind}${optional ? '?' : ''}`) : []
    }
  })
}

/** The type of a property that a class declares, with `!` or with `declare`. */
const propertyOf = (source: string, name: string): string | undefined =>
  new RegExp(
    `^\\s+(?:public |override |readonly )*(?:declare (?:readonly )?${name}|${name}!): (.*?);? *(?://.*)?$`,
    'm',
  ).exec(source)?.[1]

/** The type of the key that a model file declares; undefined if it declares none. */
export const keyOfModel = (source: string): string | undefined => propertyOf(source, 'id')

/** The switches of `sluice g model` that would write such a model again. */
export const flagsOfModel = (source: string): readonly string[] => [
  ...(isOn(source, 'softDelete') ? ['soft-delete'] : []),
  ...(isOn(source, 'version') ? ['lock'] : []),
  ...(isOn(source, 'timestamps') ? [] : ['no-timestamps']),
]

const isOn = (source: string, name: string): boolean =>
  new RegExp(`${STATIC}${name}(?:: boolean)? = true`, 'm').test(source)

/** The table of a model file, or undefined if the file does not name it. */
export const tableOfModel = (source = ''): string | undefined =>
  new RegExp(`${STATIC}tableName(?:: string)? = ['"](\\w+)['"]`, 'm').exec(source)?.[1]
