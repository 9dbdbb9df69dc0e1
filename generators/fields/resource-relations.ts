import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { usageError } from '../errors.ts'
import { authMiddleware } from '../kinds/auth.ts'
import type { KindInput } from '../kinds/kind.ts'
import { isDefined, withField } from '../models/defined-model.ts'
import { modelPath, type Name, parseName } from '../names/names.ts'
import type { PlannedFile } from '../project/write.ts'
import { type Field, parseFields } from './fields.ts'
import { relatedModel } from './relations.ts'

/** The model whose path a resource is below. */
export interface ParentVariables {
  readonly name: string
  /** `article` */
  readonly variable: string
  /** `blog post`, in a sentence. */
  readonly title: string
  /** Below `src/app/models`: `admin/Article.ts`. */
  readonly file: string
  /** `/admin/articles` */
  readonly path: string
  /** `articleId`: the parameter of the path. */
  readonly id: string
}

/** `--under Article` as variables of templates. */
export const parentOf = ({ root, under }: KindInput): ParentVariables | undefined => {
  if (under === undefined) return undefined
  const name = parseName(under)
  return {
    name: name.pascal,
    variable: name.camel,
    title: name.title.toLowerCase(),
    file: existing(root, name, 'under').file,
    path: name.path,
    id: `${name.camel}Id`,
  }
}

/** The model of the users who have records of their own. */
export interface OwnerVariables {
  readonly name: string
  readonly variable: string
  readonly kebab: string
  readonly title: string
  readonly inside: string
}

/** `--owner User` as variables of templates. */
export const ownerOf = ({ root, owner }: KindInput): OwnerVariables | undefined => {
  if (owner === undefined) return undefined
  const name = parseName(owner)
  existing(root, name, 'owner')
  if (!existsSync(join(root, authMiddleware(name))))
    throw usageError(`--owner ${owner}: nobody can sign in as one; first run sluice g auth ${modelPath(name)}`)
  const { pascal, camel: variable, kebab, title, inside } = name
  return { name: pascal, variable, kebab, title: title.toLowerCase(), inside }
}

/**
 * The column that paths name a record by.
 *
 * @throws {CliError} with exit code 2 if it is not a unique text.
 */
export const keyOf = ({ key = 'id', fields }: KindInput): string => {
  const field = fields.find(({ name }) => name === key)
  if (key === 'id' || (field?.unique && field.ts === 'string' && !field.optional)) return key
  throw usageError(`--key ${key}: expected a unique field of text, such as ${key}:string:unique`)
}

/** The models of `--under` and `--owner`, each with its option. */
const otherModels = ({ under, owner }: KindInput): readonly (readonly [option: string, name: Name])[] => {
  if (under !== undefined && owner !== undefined)
    throw usageError('--under and --owner do not go together: write the second condition into the routes')
  return Object.entries({ under, owner }).flatMap(([option, model]) =>
    model === undefined ? [] : [[option, parseName(model)] as const],
  )
}

const refersTo = ({ relation }: Field, name: Name): boolean =>
  relation !== undefined && modelPath(parseName(relation.model)) === modelPath(name)

/**
 * Refuse an existing model without the references that the options need.
 *
 * @throws {CliError} with exit code 2
 */
export const assertRelations = (input: KindInput, fields: readonly Field[]): void => {
  for (const [option, name] of otherModels(input))
    if (!fields.some((field) => refersTo(field, name) && field.visibility === 'readonly'))
      throw usageError(
        `--${option} ${name.pascal}: src/app/models/${modelPath(input.name)}.ts needs a field that clients cannot set: ` +
          `${name.camel}: t.belongsTo(() => ${name.pascal}).readonly()`,
      )
}

/** The fields of a resource, with the column of `--key` and the references of `--under` and `--owner`. */
export const withRelations = (input: KindInput, fields: readonly Field[]): readonly Field[] => {
  const { key = 'id' } = input
  const hasKey = key === 'id' || fields.some(({ name }) => name === key)
  const others = otherModels(input).map(([, name]) => name)
  const added = others
    .filter((name) => !fields.some((field) => refersTo(field, name)))
    .flatMap((name) => parseFields(`${name.camel}:references(${modelPath(name)}):cascade`))
  return [...(hasKey ? [] : parseFields(`${key}:string:unique`)), ...fields, ...added].map((field) =>
    others.some((name) => refersTo(field, name)) ? { ...field, visibility: 'readonly' } : field,
  )
}

/** The other model with the relation to the resource. */
export const relatedFiles = (input: KindInput): readonly PlannedFile[] => {
  const { root, under, owner } = input
  const model = under ?? owner
  if (model === undefined) return []
  const name = parseName(model)
  const path = `src/app/models/${existing(root, name, under ? 'under' : 'owner').file}`
  const source = readFileSync(join(root, path), 'utf8').replaceAll('\r\n', '\n')
  if (!isDefined(source)) throw usageError(`${path} is not made by Model.define, so it cannot have the relation`)
  const changed = withField(source, input.name.plural, `t.hasMany(() => ${input.name.pascal})`)
  const up = '../'.repeat(name.folders.length) || './'
  const line = `import { ${input.name.pascal} } from '${up}${modelPath(input.name)}.ts'\n`
  const edit = { path, contents: withImport(changed, line), edit: true }
  return changed === source ? [] : [edit]
}

/** A source with one more import, behind the others. */
const withImport = (source: string, line: string): string => {
  const imports = [...source.matchAll(/^import [\s\S]*? from '.*'\n/gm)]
  const last = imports.at(-1)
  const at = last ? last.index + last[0].length : 0
  const used = /^import \{ Model \} from/m.test(source)
    ? source.replace('import { Model }', 'import { Model, t }')
    : source
  const shift = used.length - source.length
  return `${used.slice(0, at + shift)}${line}${used.slice(at + shift)}`
}

const existing = (root: string, name: Name, option: string) => {
  const related = relatedModel(root, modelPath(name))
  if (!related.exists)
    throw usageError(
      `--${option}: there is no src/app/models/${related.file}; generate it first: sluice g model ${modelPath(name)}`,
    )
  return related
}
