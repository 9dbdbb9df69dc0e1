import { type Field, isNumbered } from '../fields/fields.ts'
import { type RelatedModel, relatedModel } from '../fields/relations.ts'
import { parentOf } from '../fields/resource-relations.ts'
import { withNumbers } from '../fields/unique-keys.ts'
import { parseName } from '../names/names.ts'
import { filtersOf, type KindInput } from './kind.ts'

/** A record that must exist before another one can refer to it. */
export interface Parent extends RelatedModel {
  /** `user`: the variable for it. */
  readonly variable: string
  /** `name: 'Ada'`: its values. */
  readonly values: readonly string[]
}

/** The variables of the template for the test of a resource, in addition to those of its routes: see docs/cli.md. */
export const testVariables = (input: KindInput): object => {
  const open = withNumbers(input.fields, input.unique).filter(({ visibility }) => visibility === undefined)
  // Optional references are left out: they may refer to the resource itself.
  const sent = open.filter(({ optional, relation }) => relation === undefined || !optional)
  const depth = input.name.folders.length
  const parent = parentOf(input)
  return {
    top: '../'.repeat(depth + 1),
    helper: '../'.repeat(depth) || './',
    scope: parent && { id: parent.id, variable: variableOf(input.under ?? '') },
    numbered: sent.some(isNumbered),
    samples: sent.map((field) => `${field.name}: ${sampleOf(field)}`),
    required: open.filter(({ optional, hasDefault }) => !optional && !hasDefault).map(({ name }) => name),
    uniques: sent.filter(({ unique }) => unique).map(({ name }) => name),
    references: sent.filter(({ relation }) => relation !== undefined).map(({ name }) => name),
    // The owner is who signs in
    parents: parentsOf(
      input.root,
      input.fields.filter(({ relation }) => !input.owner || relation?.model !== input.owner),
    ),
    change: sent.flatMap((field) => {
      const value = field.name === input.key ? undefined : otherOf(field)
      return value === undefined ? [] : [{ name: field.name, type: field.type, value }]
    })[0],
    filter: sent.flatMap(filterOf)[0],
    lock: input.flags.has('lock'),
  }
}

/** Values that differ from every sample, by the type of the field. */
const OTHERS: Readonly<Record<string, string>> = {
  string: "'B'",
  text: "'B'",
  email: "'bob@example.com'",
  url: "'https://example.org/'",
  uuid: "'16fd2706-8baf-433b-82eb-8c7fada847da'",
  integer: '8',
  number: '2.5',
  decimal: '0',
  boolean: 'false',
  date: "'2027-01-01T00:00:00.000Z'",
  json: "['three']",
}

/** Source text of a value other than the sample of a field; undefined if none is known. */
const otherOf = ({ type, ts }: Field): string | undefined => (type === 'enum' ? ts.split(' | ')[1] : OTHERS[type])

/** Types whose values are the same in a query, so that the sample of one test differs from the value. */
const PLAIN: readonly string[] = ['string', 'enum', 'integer']

/** A field to filter a list by, with a value that no record has. */
const filterOf = (field: Field): readonly { name: string; other: string }[] => {
  const other = otherOf(field)
  const isPlain = PLAIN.includes(field.type) && !field.unique && filtersOf([field]).length > 0
  return isPlain && other !== undefined ? [{ name: field.name, other }] : []
}

const sampleOf = ({ relation, unique, type, sample, uniqueSample }: Field): string => {
  if (relation !== undefined) return `${variableOf(relation.model)}.id`
  return ((unique ? uniqueSample : undefined) ?? sample) + (type === 'enum' ? ' as const' : '')
}

/** What the test of a resource declares or imports itself. */
const TAKEN =
  'after all api assert before changed close data first issues json meta none openTestDatabase other params sample second send signIn test testClient unwrap values'

/** The variable of a record that another one refers to. */
const variableOf = (model: string): string => {
  const { camel } = parseName(model)
  return TAKEN.split(' ').includes(camel) ? `${camel}Record` : camel
}

/** The records that the required fields refer to, directly or indirectly, in the order of creation. */
const parentsOf = (root: string, fields: readonly Field[], visited: readonly string[] = []): readonly Parent[] => {
  const parents = new Map<string, Parent>()
  for (const { relation, optional } of fields) {
    if (relation === undefined || optional || visited.includes(relation.model)) continue
    const model = relatedModel(root, relation.model)
    for (const above of parentsOf(root, model.fields, [...visited, relation.model])) parents.set(above.file, above)
    const values = model.fields
      .filter((field) => !field.optional && !field.hasDefault)
      .map((field) => `${field.name}: ${valueOf(field)}`)
    parents.set(model.file, { ...model, variable: variableOf(relation.model), values })
  }
  return [...parents.values()]
}

/** The value of a field in a model: a client sends a date as a string, a model stores a `Date`. */
export const valueOf = (field: Field): string => {
  if (field.relation !== undefined) return `${variableOf(field.relation.model)}.id`
  return field.type === 'date' ? `new Date(${field.sample})` : field.sample
}
