import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { usageError } from '../errors.ts'
import { fieldsOfModel } from '../models/defined-model.ts'
import { tableOfModel } from '../models/model-fields.ts'
import { modelPath, type Name, parseName } from '../names/names.ts'
import type { Field, Relation } from './fields.ts'
import { keysOfModel, type UniqueKeys } from './unique-keys.ts'

/** A model that another one refers to. */
export interface RelatedModel {
  readonly className: string
  /** Below `src/app/models`: `admin/User.ts`. */
  readonly file: string
  readonly table: string
  readonly fields: readonly Field[]
  /** Names of fields that are unique together. */
  readonly unique: UniqueKeys
  readonly exists: boolean
}

/** A model of the project, read from its file, or derived from its name if there is no file yet. */
export const relatedModel = (root: string, model: string): RelatedModel => {
  const name = parseName(model)
  const file = `${name.folders.map((folder) => `${folder}/`).join('')}${name.pascal}.ts`
  const path = join(root, 'src/app/models', file)
  const source = existsSync(path) ? readFileSync(path, 'utf8') : undefined
  return {
    className: name.pascal,
    file,
    table: tableOfModel(source) ?? name.table,
    fields: source === undefined ? [] : fieldsOfModel(source),
    unique: source === undefined ? [] : keysOfModel(source),
    exists: source !== undefined,
  }
}

/** The template variables of a relation. */
export interface RelationVariables {
  /** `owner`, or `products` */
  readonly name: string
  /** `ownerId`: the property that refers, in this model or the other one. */
  readonly key: string
  readonly model: string
  /** Import specifier, from the file of the model; empty for the model itself. */
  readonly from: string
}

/**
 * The records that a model refers to, by its fields.
 *
 * @throws {CliError} with exit code 2 if one of the models does not exist, because the generated code would not
 * compile.
 */
export const belongsTo = (root: string, name: Name, fields: readonly Field[]): readonly RelationVariables[] =>
  fields.flatMap((field) => {
    if (field.relation === undefined) return []
    const variables = describe(root, name, field.relation)
    const own = variables.from === ''
    if (own && !field.optional) {
      throw usageError(
        `${field.relation.name} refers to its own model, which the first record cannot: make it optional with "?"`,
      )
    }
    const related = relatedModel(root, field.relation.model)
    if (!own && !related.exists) {
      throw usageError(
        `${field.relation.name}: there is no src/app/models/${related.file}; ` +
          `generate it first: sluice g resource ${field.relation.model}`,
      )
    }
    return [{ ...variables, key: field.name }]
  })

/**
 * The records of another model that refer to this one.
 *
 * @param fields Those of this model: it may refer to itself.
 * @throws {CliError} with exit code 2 if it refers to itself by a field that it does not have.
 */
export const hasMany = (
  root: string,
  name: Name,
  relations: readonly Relation[],
  fields: readonly Field[],
): readonly RelationVariables[] =>
  relations.map((relation) => {
    const variables = describe(root, name, relation)
    const back = fieldsBehind(root, variables, relation, fields).find(
      ({ relation: other }) => other !== undefined && modelPath(parseName(other.model)) === modelPath(name),
    )
    const key = relation.key ?? back?.name ?? `${name.camel}Id`
    if (variables.from === '' && !fields.some((field) => field.name === key)) {
      throw usageError(
        `${relation.name} refers to its own model, which has no ${key}: add "${referring(key, modelPath(name))}?"`,
      )
    }
    return { ...variables, key }
  })

/** What to write so that the other models have the columns that refer back; they do not compile before. */
export const adviseHasMany = (
  root: string,
  name: Name,
  relations: readonly Relation[],
  fields: readonly Field[],
): readonly string[] =>
  hasMany(root, name, relations, fields).flatMap((variables, index) => {
    const relation = relations[index]
    if (relation === undefined) return []
    if (fieldsBehind(root, variables, relation, fields).some((field) => field.name === variables.key && field.relation))
      return []
    const { exists, file, table } = relatedModel(root, relation.model)
    const model = modelPath(name)
    const lacks = `${relation.name} needs the field ${variables.key} of ${variables.model}. Without it, the project does not compile`
    if (!exists) return [`${lacks}: npx sluice g resource ${relation.model} '${referring(variables.key, model)}'`]
    return [
      `${lacks}. In src/app/models/${file}, write among the fields:`,
      `  ${variables.key.replace(/Id$/, '')}: t.belongsTo(() => ${name.pascal}),`,
      `Then add the column to the table ${table} in a migration: npx sluice g migration Link${variables.model}To${name.pascal}`,
    ]
  })

/** The field of a key, as a command line has it. */
const referring = (key: string, model: string): string => `${key.replace(/Id$/, '')}:references(${model})`

/** The fields of the model that a relation leads to. */
const fieldsBehind = (
  root: string,
  { from }: Pick<RelationVariables, 'from'>,
  relation: Relation,
  own: readonly Field[],
): readonly Field[] => (from === '' ? own : relatedModel(root, relation.model).fields)

const describe = (root: string, name: Name, relation: Relation): Omit<RelationVariables, 'key'> => {
  const { className, file } = relatedModel(root, relation.model)
  const own = file === `${name.folders.map((folder) => `${folder}/`).join('')}${name.pascal}.ts`
  if (!own && className === name.pascal) {
    throw usageError(`${relation.name}: both models are named ${className}, and one file cannot import both`)
  }
  const up = '../'.repeat(name.folders.length) || './'
  return { name: relation.name, model: className, from: own ? '' : `${up}${file}` }
}
