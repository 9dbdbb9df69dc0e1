import { FIELD_TYPES } from './field-types.ts'
import { type Field, OWN_COLUMNS, parseFields } from './fields.ts'

/**
 * The fields that a model file declares, so that a controller or a validator made later fits the model.
 * Reads what the model template writes: the entries of `columns` with the type behind, and `| null` behind what may be
 * left out.
 */
export const fieldsOfModel = (source: string): readonly Field[] => {
  const columns = /static columns = \{([^}]*)\}/.exec(source)?.[1] ?? ''
  return [...columns.matchAll(/^ *(\w+): *'(\w+)',?(?: *\/\/ *(.*))?$/gm)].flatMap(
    ([, name = '', kind = '', spec = kind]) => {
      if (OWN_COLUMNS.includes(name)) return []
      const optional = new RegExp(`^\\s+${name}!: .* \\| null$`, 'm').test(source)
      try {
        const fields = parseFields(`${name}:${spec.trim()}${optional ? '?' : ''}`)
        // An address in a column of plain text: its model writes it as it comes.
        return fields.map((field) => (field.kind === 'email' && kind === 'string' ? { ...field, kind } : field))
      } catch {
        // A remark of the project's own: the kind is all that is known.
        return Object.hasOwn(FIELD_TYPES, kind) ? parseFields(`${name}:${kind}${optional ? '?' : ''}`) : []
      }
    },
  )
}
