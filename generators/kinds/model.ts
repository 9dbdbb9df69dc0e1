import type { Field } from '../fields/fields.ts'
import { importsOf } from '../fields/relations.ts'
import { fieldsOfKeys } from '../fields/unique-keys.ts'
import { fieldsOfModel } from '../models/defined-model.ts'
import { renderTemplate } from '../render.ts'
import { commonVariables, type Kind } from './kind.ts'
import { assertTable } from './migration.ts'

/** A class for a table: `src/app/models/<Name>.ts`. */
export const model: Kind = {
  name: 'model',
  suffix: '',
  templates: ['model'],
  plan: (input) => {
    assertTable(input.table)
    const variables = commonVariables(input)
    const softDelete = input.flags.has('soft-delete')
    const lock = input.flags.has('lock')
    const timestamps = !input.flags.has('no-timestamps')
    const keys = fieldsOfKeys(input.unique, input.fields).map(
      (key) => `[${key.map(({ name, relation }) => `'${relation?.name ?? name}'`).join(', ')}]`,
    )
    const contents = renderTemplate(input.root, 'model', {
      ...variables,
      softDelete,
      lock,
      timestamps,
      className: input.name.pascal,
      fields: input.fields.map((field) => ({
        ...field,
        remark: remarkOf(field),
        isReadonly: field.visibility === 'readonly',
      })),
      options: [
        !timestamps && 'timestamps: false',
        softDelete && 'softDelete: true',
        lock && 'version: true',
        keys.length > 0 && `unique: [${keys.join(', ')}]`,
      ]
        .filter(Boolean)
        .join(', '),
      imports: importsOf(input.root, input.name, input.fields),
    })
    return { files: [{ path: `src/app/models/${variables.inside}${input.name.pascal}.ts`, contents }], advice: [] }
  },
}

/** What the code of a field does not say about its column, such as an index: a comment, for the files made later. */
const remarkOf = ({ name, relation, define, spec, optional }: Field): string => {
  const [read] = fieldsOfModel(`Model.define('x', { ${relation?.name ?? name}: ${define} })`)
  return read?.spec === spec && read.optional === optional ? '' : spec
}
