import { usageError } from '../errors.ts'
import { compareImports } from '../import-order.ts'
import { adviseHasMany, belongsTo, hasMany } from '../relations.ts'
import { renderTemplate } from '../render.ts'
import { commonVariables, type Kind, type KindInput } from './kind.ts'
import { assertTable } from './migration.ts'

/** A class for a table: `src/app/models/<Name>.ts`. */
export const model: Kind = {
  name: 'model',
  suffix: '',
  describe: 'a class for a table',
  templates: ['model'],
  options: ['table', 'soft-delete', 'no-timestamps', 'lock', 'fields'],
  plan: (input) => {
    assertTable(input.table)
    const variables = commonVariables(input)
    const contents = renderTemplate(input.root, 'model', {
      ...variables,
      className: input.name.pascal,
      softDelete: input.flags.has('soft-delete'),
      lock: input.flags.has('lock'),
      timestamps: !input.flags.has('no-timestamps'),
      ...relationsOf(input),
    })
    return [{ path: `src/app/models/${variables.inside}${input.name.pascal}.ts`, contents }]
  },
  advise: ({ root, name, many, fields }) => adviseHasMany(root, name, many, fields),
}

const relationsOf = ({ root, name, fields, many }: KindInput) => {
  const relations = { belongsTo: belongsTo(root, name, fields), hasMany: hasMany(root, name, many, fields) }
  const foreign = [...relations.belongsTo, ...relations.hasMany].filter(({ from }) => from !== '')
  const imports = [...new Map(foreign.map((relation) => [relation.from, relation])).values()]
  const twice = imports.find(({ model }, index) => imports.findIndex((other) => other.model === model) !== index)
  if (twice !== undefined) throw usageError(`Two models are named ${twice.model}, and one file cannot import both`)
  return { ...relations, imports: imports.toSorted((a, b) => compareImports(a.from, b.from)) }
}
