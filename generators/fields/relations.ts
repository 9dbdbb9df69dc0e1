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
  const file = `${modelPath(name)}.ts`
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

/** A model that the file of another one imports. */
export interface ModelImport {
  readonly model: string
  /** Import specifier, from the file of the model. */
  readonly from: string
}

/**
 * The models that a model refers to by its fields.
 *
 * @throws {CliError} with exit code 2 if one of the models does not exist, because the generated code would not
 * compile, and if two have the same name.
 */
export const importsOf = (root: string, name: Name, fields: readonly Field[]): readonly ModelImport[] => {
  const imports = new Map<string, ModelImport>()
  for (const { optional, relation } of fields) {
    if (relation === undefined) continue
    const { className: model, file, exists } = relatedModel(root, relation.model)
    if (file === `${modelPath(name)}.ts`) {
      if (optional) continue
      throw usageError(
        `${relation.name} refers to its own model, which the first record cannot: make it optional with "?"`,
      )
    }
    const others = [...imports].flatMap(([other, each]) => (other === file ? [] : [each.model]))
    if ([name.pascal, ...others].includes(model))
      throw usageError(`${relation.name}: two models are named ${model}, and one file cannot import both`)
    if (!exists)
      throw usageError(
        `${relation.name}: there is no src/app/models/${file}; generate it first: sluice g resource ${relation.model}`,
      )
    imports.set(file, { model, from: `${'../'.repeat(name.folders.length) || './'}${file}` })
  }
  return [...imports.values()]
}
