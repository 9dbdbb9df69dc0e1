import { FIELD_TYPES } from './field-types.ts'
import { type Field, OWN_COLUMNS, parseFields } from './fields.ts'

/**
 * The fields that a model file declares, so that a controller or validator that is generated later matches the model.
 * Reads the format of the model template: the entries of `columns` with the field type in a comment, and `| null` after
 * optional properties.
 */
export const fieldsOfModel = (source: string): readonly Field[] => {
  const columns = /static columns = \{([^}]*)\}/.exec(source)?.[1] ?? ''
  return [...columns.matchAll(/^ *(\w+): *'(\w+)',?(?: *\/\/ *(.*))?$/gm)].flatMap(
    ([, name = '', kind = '', spec = kind]) => {
      if (OWN_COLUMNS.includes(name)) return []
      const optional = new RegExp(`^\\s+${name}!: .* \\| null$`, 'm').test(source)
      try {
        const fields = parseFields(`${name}:${spec.trim()}${optional ? '?' : ''}`)
        // An address in a column of kind `string`: the model does not normalize it.
        return fields.map((field) => (field.kind === 'email' && kind === 'string' ? { ...field, kind } : field))
      } catch {
        // The comment is not a field type: only the kind is known.
        return Object.hasOwn(FIELD_TYPES, kind) ? parseFields(`${name}:${kind}${optional ? '?' : ''}`) : []
      }
    },
  )
}

/** The switches of `sluice g model` that would write such a model again. */
export const flagsOfModel = (source: string): readonly string[] => [
  ...(source.includes('static softDelete = true') ? ['soft-delete'] : []),
  ...(source.includes('static version = true') ? ['lock'] : []),
  ...(source.includes('static timestamps = true') ? [] : ['no-timestamps']),
]

/** The table of a model file, or undefined if the file does not name it. */
export const tableOfModel = (source = ''): string | undefined => /static tableName = '(\w+)'/.exec(source)?.[1]
