import { type Field, isNumbered } from './fields.ts'
import { compareImports } from './import-order.ts'
import { type CommonVariables, commonVariables, type KindInput, PAGE_NAMES } from './kinds/kind.ts'
import { parseName } from './names.ts'
import { type RelatedModel, relatedModel } from './relations.ts'

/** A record that must exist before another one can refer to it. */
export interface Parent extends RelatedModel {
  /** `user`: the variable for it. */
  readonly variable: string
  /** `name: 'Ada'`: its values. */
  readonly values: readonly string[]
}

/** Variables of the template for the test of a resource. */
export interface TestVariables extends CommonVariables {
  /** Relative paths from the test to the project, and to the folder of the tests. */
  readonly top: string
  readonly helper: string
  /** True if the sample contains a number, because a field must be unique. */
  readonly numbered: boolean
  /** True if the sample refers to no other record and has no unique value, so it can be a constant. */
  readonly constant: boolean
  /** Source text of the sample: `sample(1)`, or `sample()` and `sample` for all numbers. */
  readonly sample: (number: number | string) => string
  /** `title: 'Ada'`: the fields that a client sends. */
  readonly samples: readonly string[]
  readonly required: readonly string[]
  readonly uniques: readonly string[]
  /** Required fields that refer to another record. */
  readonly references: readonly string[]
  readonly parents: readonly Parent[]
  /** The same in the order of their imports. */
  readonly imported: readonly Parent[]
  /** `title: 'B'`: another value for one field; empty if no field has another value. */
  readonly change: string
  /** A field to filter a list by, with a value that records have and one that no record has. */
  readonly filter: FilterSample | undefined
  /** Fields that become null when PUT leaves them out. */
  readonly empties: readonly string[]
  readonly lock: boolean
  readonly replace: boolean
}

/** The query of a filtered list. */
export interface FilterSample {
  readonly name: string
  readonly held: string
  readonly other: string
}

export const testVariables = (input: KindInput): TestVariables => {
  // Optional references are left out: they may refer to the resource itself.
  const sent = input.fields.filter(({ optional, relation }) => relation === undefined || !optional)
  const numbered = sent.some(isNumbered)
  const constant = sent.every(({ unique, relation }) => !unique && relation === undefined)
  const depth = input.name.folders.length
  const parents = parentsOf(input.root, input.fields)
  return {
    ...commonVariables(input),
    top: '../'.repeat(depth + 1),
    helper: '../'.repeat(depth) || './',
    numbered,
    constant,
    sample: (number) => (numbered ? `sample(${number})` : constant ? 'sample' : 'sample()'),
    samples: sent.map((field) => `${field.name}: ${sampleOf(field)}`),
    required: input.fields.filter(({ optional }) => !optional).map(({ name }) => name),
    uniques: sent.filter(({ unique }) => unique).map(({ name }) => name),
    references: sent.filter(({ relation }) => relation !== undefined).map(({ name }) => name),
    parents,
    imported: parents.toSorted((a, b) => compareImports(a.file, b.file)),
    change: sent.flatMap((field) => otherOf(field)?.replace(/^/, `${field.name}: `) ?? [])[0] ?? '',
    filter: sent.flatMap(filterOf)[0],
    empties: sent.filter(({ optional }) => optional).map(({ name }) => name),
    lock: input.flags.has('lock'),
    replace: input.flags.has('replace'),
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

/** Types whose values need no encoding in a query. */
const PLAIN: readonly string[] = ['string', 'enum', 'boolean', 'integer']

const filterOf = (field: Field): readonly FilterSample[] => {
  const { name, type, filter, sample, unique } = field
  const other = otherOf(field)
  const isPlain = PLAIN.includes(type) && !unique && !PAGE_NAMES.includes(name) && filter !== undefined
  if (!isPlain || other === undefined) return []
  const [held = '', none = ''] = [sample, other].map((value) => encodeURIComponent(value.replaceAll("'", '')))
  return [{ name, held, other: none }]
}

const sampleOf = ({ relation, unique, sample, uniqueSample }: Field): string =>
  relation === undefined ? ((unique ? uniqueSample : undefined) ?? sample) : `${variableOf(relation.model)}.id`

/** What the test of a resource declares or imports itself. */
const TAKEN =
  'after app ask assert before change close createApp openTestDatabase sample test testClient values visitor'

/** The variable of a record that another one refers to. */
const variableOf = (model: string): string => {
  const { camel } = parseName(model)
  return TAKEN.split(' ').includes(camel) ? `${camel}Record` : camel
}

/** The records that the required fields refer to, directly or indirectly, in the order of creation. */
const parentsOf = (root: string, fields: readonly Field[], known: readonly string[] = []): readonly Parent[] => {
  const parents = new Map<string, Parent>()
  for (const { relation, optional } of fields) {
    if (relation === undefined || optional || known.includes(relation.model)) continue
    const model = relatedModel(root, relation.model)
    for (const above of parentsOf(root, model.fields, [...known, relation.model])) parents.set(above.file, above)
    const values = model.fields.filter((field) => !field.optional).map((field) => `${field.name}: ${valueOf(field)}`)
    parents.set(model.file, { ...model, variable: variableOf(relation.model), values })
  }
  return [...parents.values()]
}

/** The value of a field in a model: a client sends a date as a string, a model stores a `Date`. */
export const valueOf = (field: Field): string => {
  if (field.relation !== undefined) return `${variableOf(field.relation.model)}.id`
  return field.type === 'date' ? `new Date(${field.sample})` : field.sample
}
