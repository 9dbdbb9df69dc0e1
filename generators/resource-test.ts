import type { Field } from './fields.ts'
import { compareImports } from './import-order.ts'
import { type CommonVariables, commonVariables, type KindInput, PAGE_NAMES } from './kinds/kind.ts'
import { parseName } from './names.ts'
import { type RelatedModel, relatedModel } from './relations.ts'

/** A record that has to be there before one that refers to it can be stored. */
export interface Parent extends RelatedModel {
  /** `name: 'Ada'`: what it is created with. */
  readonly values: readonly string[]
}

/** What the template of a resource's test is filled with. */
export interface TestVariables extends CommonVariables {
  /** From the test back to the project, and to the folder of the tests. */
  readonly top: string
  readonly helper: string
  /** Whether what is sent differs by a number, since a part of it must be unique. */
  readonly numbered: boolean
  /** Whether what is sent is known when the file is loaded: it refers to no record. */
  readonly constant: boolean
  /** What is sent, as source text: `sample(1)`, or `sample()` and `sample` for all numbers. */
  readonly sample: (number: number | string) => string
  /** `title: 'Ada'`: what a client sends. */
  readonly samples: readonly string[]
  readonly required: readonly string[]
  readonly uniques: readonly string[]
  readonly parents: readonly Parent[]
  /** The same in the order of their imports. */
  readonly imported: readonly Parent[]
  /** `title: 'B'`: a change of one field; empty where none of them has another value. */
  readonly change: string
  /** A field that a list is asked for by, with a value that records have and one that none has. */
  readonly filter: FilterSample | undefined
  /** Fields that become empty when they are left out of a whole record. */
  readonly empties: readonly string[]
  readonly lock: boolean
  readonly replace: boolean
}

/** What a list is asked for, as it stands in a query. */
export interface FilterSample {
  readonly name: string
  readonly held: string
  readonly other: string
}

export const testVariables = (input: KindInput): TestVariables => {
  // A reference that may be left out is: it may be to the resource itself.
  const sent = input.fields.filter(({ optional, relation }) => relation === undefined || !optional)
  const numbered = sent.some(({ unique }) => unique)
  const constant = !numbered && sent.every(({ relation }) => relation === undefined)
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
    parents,
    imported: parents.toSorted((a, b) => compareImports(a.file, b.file)),
    change: sent.flatMap((field) => otherOf(field)?.replace(/^/, `${field.name}: `) ?? [])[0] ?? '',
    filter: sent.flatMap(filterOf)[0],
    empties: sent.filter(({ optional }) => optional).map(({ name }) => name),
    lock: input.flags.has('lock'),
    replace: input.flags.has('replace'),
  }
}

/** Values that no sample has, by the type of the field. */
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

/** Another value than the sample of a field, as source text; undefined where there is none to make up. */
const otherOf = ({ type, ts }: Field): string | undefined => (type === 'enum' ? ts.split(' | ')[1] : OTHERS[type])

/** Types whose values stand in a query as they are. */
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

const variableOf = (model: string): string => parseName(model).camel

/** The records that the required fields refer to, and those that these refer to: the ones without needs first. */
const parentsOf = (root: string, fields: readonly Field[], known: readonly string[] = []): readonly Parent[] => {
  const parents = new Map<string, Parent>()
  for (const { relation, optional } of fields) {
    if (relation === undefined || optional || known.includes(relation.model)) continue
    const model = relatedModel(root, relation.model)
    for (const above of parentsOf(root, model.fields, [...known, relation.model])) parents.set(above.file, above)
    const values = model.fields.filter((field) => !field.optional).map((field) => `${field.name}: ${valueOf(field)}`)
    parents.set(model.file, { ...model, values })
  }
  return [...parents.values()]
}

/** What a model takes for a field: a date is sent as text and kept as a date. */
export const valueOf = (field: Field): string => {
  if (field.relation !== undefined) return `${variableOf(field.relation.model)}.id`
  return field.type === 'date' ? `new Date(${field.sample})` : field.sample
}
