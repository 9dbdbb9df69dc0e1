import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { usageError } from '../errors.ts'
import { fieldsOfModel } from '../models/defined-model.ts'
import { tableOfModel } from '../models/model-fields.ts'
import { modelPath, type Name, parseName } from '../names/names.ts'
import type { Field } from './fields.ts'
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

/** The template variables of a reference. */
export interface RelationVariables {
  /** `owner` */
  readonly name: string
  /** `ownerId`: the property that refers. */
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
  fields.flatMap(({ name: key, optional, relation }) => {
    if (relation === undefined) return []
    const { className, file, exists } = relatedModel(root, relation.model)
    const own = file === `${modelPath(name)}.ts`
    if (own && !optional)
      throw usageError(
        `${relation.name} refers to its own model, which the first record cannot: make it optional with "?"`,
      )
    if (!own && className === name.pascal)
      throw usageError(`${relation.name}: both models are named ${className}, and one file cannot import both`)
    if (!own && !exists)
      throw usageError(
        `${relation.name}: there is no src/app/models/${file}; generate it first: sluice g resource ${relation.model}`,
      )
    return [
      {
        name: relation.name,
        key,
        model: className,
        from: own ? '' : `${'../'.repeat(name.folders.length) || './'}${file}`,
      },
    ]
  })
