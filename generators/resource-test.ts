import type { Field } from './fields.ts'
import { type CommonVariables, commonVariables, type KindInput } from './kinds/kind.ts'
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
  /** Name of the number that makes unique values differ. */
  readonly number: string
  /** `title: 'Ada'`: what a client sends. */
  readonly samples: readonly string[]
  readonly required: readonly string[]
  readonly uniques: readonly string[]
  readonly parents: readonly Parent[]
}

export const testVariables = (input: KindInput): TestVariables => {
  // A reference that may be left out is: it may be to the resource itself.
  const sent = input.fields.filter(({ optional, relation }) => relation === undefined || !optional)
  const usesNumber = sent.some(({ unique }) => unique)
  const depth = input.name.folders.length
  return {
    ...commonVariables(input),
    top: '../'.repeat(depth + 1),
    helper: '../'.repeat(depth) || './',
    number: usesNumber ? 'n' : '_n',
    samples: sent.map((field) => `${field.name}: ${sampleOf(field)}`),
    required: input.fields.filter(({ optional }) => !optional).map(({ name }) => name),
    uniques: sent.filter(({ unique }) => unique).map(({ name }) => name),
    parents: parentsOf(input.root, input.fields),
  }
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
