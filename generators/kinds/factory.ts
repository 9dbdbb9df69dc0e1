import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { usageError } from '../errors.ts'
import { type Field, isNumbered } from '../fields/fields.ts'
import { relatedModel } from '../fields/relations.ts'
import { withNumbers } from '../fields/unique-keys.ts'
import { modelPath, type Name, parseName, splitWords, tableOf } from '../names/names.ts'
import type { PlannedFile } from '../project/write.ts'
import { renderTemplate } from '../render.ts'
import { commonVariables, type Kind, type KindInput } from './kind.ts'
import { valueOf } from './resource-test.ts'

/** A function that creates records for tests and seeds: `src/database/factories/<name>.ts`. */
export const factory: Kind = {
  name: 'factory',
  suffix: 'Factory',
  templates: ['factory'],
  plan: (input) => ({ files: factoryFiles(input, modelOf(input) ?? input.name), advice: [] }),
}

/** The path of a factory below `src/database/factories`: `admin/user.ts`. */
export const factoryFile = ({ inside, kebab }: Name): string => `${inside}${kebab}.ts`

/** The model of that name in the project, else the one with the same plural: `Product` for `products`. */
export const modelOf = ({ root, name }: KindInput): Name | undefined => {
  if (relatedModel(root, modelPath(name)).exists) return name
  const folder = join(root, 'src/app/models', ...name.folders)
  const files = existsSync(folder) ? readdirSync(folder).sort() : []
  const same = files
    .filter((file) => file.endsWith('.ts'))
    .map((file) => file.slice(0, -'.ts'.length))
    .find((model) => tableOf(splitWords(model).map((word) => word.toLowerCase())) === name.table)
  return same === undefined ? undefined : parseName([...name.folders, same].join('/'))
}

/** The factory of a model and of the models that it needs. Existing factories are kept, since they may be edited. */
export const missingFactories = (input: KindInput, name: Name): readonly PlannedFile[] =>
  existsSync(join(input.root, pathOfFactory(name))) ? [] : factoryFiles(input, name)

/** The factory of a model, after the missing factories of the records that it requires. */
const factoryFiles = (input: KindInput, name: Name, planned: readonly string[] = []): readonly PlannedFile[] => {
  const { fields, unique, file, exists } = relatedModel(input.root, modelPath(name))
  if (!exists)
    throw usageError(`There is no src/app/models/${file}; generate it first: sluice g model ${modelPath(name)}`)
  const path = pathOfFactory(name)
  const allPlanned = [...planned, path]
  const parents = parentsOf(name, fields)
  const before = parents
    .map(({ other }) => other)
    .filter(
      (other) => !allPlanned.includes(pathOfFactory(other)) && !existsSync(join(input.root, pathOfFactory(other))),
    )
    .flatMap((other) => factoryFiles(input, other, allPlanned))
  const contents = renderTemplate(
    input.root,
    'factory',
    factoryVariables(input, name, withNumbers(fields, unique), parents),
  )
  // Two references may lead to one model.
  return [...new Map([...before, { path, contents }].map((each) => [each.path, each])).values()]
}

const factoryVariables = (input: KindInput, name: Name, fields: readonly Field[], parents: readonly Parent[]) => {
  const models = `${'../'.repeat(name.folders.length + 2)}app/models/`
  const required = fields.filter(({ optional, relation }) => !optional && relation === undefined)
  const modelFrom = `${models}${modelPath(name)}.ts`
  const needed = [...new Map(parents.map(({ other }) => [other.pascal, other])).values()].map((other) => ({
    model: other.pascal,
    modelFrom: `${models}${modelPath(other)}.ts`,
    from: `${'../'.repeat(name.folders.length) || './'}${factoryFile(other)}`,
  }))
  return {
    ...commonVariables({ ...input, name, fields }),
    usesNumber: required.some(isNumbered),
    values: required.map((field) => `${field.name}: ${(field.unique && field.uniqueSample) || valueOf(field)}`),
    references: parents.map(({ key, other }) => ({ key, model: other.pascal })),
    models: [{ model: name.pascal, modelFrom }, ...needed],
    parents: needed,
  }
}

/** A record that another one requires. */
interface Parent {
  /** The column that refers to it. */
  readonly key: string
  readonly other: Name
}

const parentsOf = (name: Name, fields: readonly Field[]): readonly Parent[] =>
  fields.flatMap(({ name: key, optional, relation }) => {
    if (relation === undefined || optional) return []
    const other = parseName(relation.model)
    return modelPath(other) === modelPath(name) ? [] : [{ key, other }]
  })

const pathOfFactory = (name: Name): string => `src/database/factories/${factoryFile(name)}`
