import { usageError } from '../errors.ts'
import { splitWords, toCamel } from '../names/names.ts'

/** Names of the fields that are unique together: `[['article', 'tag']]`. */
export type UniqueKeys = readonly (readonly string[])[]

/** What a key needs to know of a field. */
interface KeyField {
  readonly name: string
  readonly type: string
  readonly relation?: { readonly name: string }
  readonly unique: boolean
  readonly uniqueSample?: string
}

/** True for a word that is a key and not a field. */
export const isUniqueKey = (part: string): boolean => part.startsWith('unique(')

/**
 * Read `unique(article,tag)`.
 *
 * @throws {CliError} with exit code 2 unless it names several fields
 */
export const parseUniqueKey = (part: string): readonly string[] => {
  const [, list = ''] = /^unique\(([^()]*)\)$/.exec(part) ?? []
  const names = list.split(',').map((name) => toCamel(splitWords(name.trim())))
  if (names.length < 2 || new Set(names).size < names.length || names.includes(''))
    throw usageError(`Cannot read "${part}": write unique(article,tag), with several fields`)
  return names
}

/**
 * The fields of each key. A key may name a reference with or without `Id`.
 *
 * @throws {CliError} with exit code 2 if there is no such field, or databases cannot compare its values
 */
export const fieldsOfKeys = <F extends KeyField>(keys: UniqueKeys, fields: readonly F[]): readonly (readonly F[])[] =>
  keys.map((names) =>
    names.map((name) => {
      const field = fields.find((each) => name === each.name || name === each.relation?.name)
      if (field === undefined) throw usageError(`unique(${names.join(',')}): there is no field "${name}"`)
      if (field.type !== 'text' && field.type !== 'json') return field
      throw usageError(`unique(${names.join(',')}): a field of type ${field.type} cannot be unique`)
    }),
  )

/** The fields, of which one in each key counts as unique: so each sample of a record is another one. */
export const withNumbers = <F extends KeyField>(fields: readonly F[], keys: UniqueKeys): readonly F[] => {
  const numbered = fieldsOfKeys(keys, fields).map(
    (key) => key.find(({ unique }) => unique) ?? key.find(({ uniqueSample }) => uniqueSample !== undefined),
  )
  return fields.map((field) => (numbered.includes(field) ? { ...field, unique: true } : field))
}

/**
 * Refuse a key whose values are the same in every sample of a test, such as two references.
 *
 * @throws {CliError} with exit code 2
 */
export const assertNumbered = (keys: UniqueKeys, fields: readonly KeyField[]): void => {
  const same = fieldsOfKeys(keys, fields).find((key) => key.every(({ uniqueSample }) => uniqueSample === undefined))
  if (same === undefined) return
  throw usageError(
    `unique(${same.map(({ relation, name }) => relation?.name ?? name).join(',')}): the test of a resource needs a field ` +
      'in it whose values can differ, such as a string; without one, write "sluice g model"',
  )
}

/** The keys among the options of `Model.define` in a model file. */
export const keysOfModel = (source: string): UniqueKeys => {
  const [, lists = ''] = /\bunique: *\[(\s*\[[\s\S]*?\],?\s*)\]/.exec(source) ?? []
  return Array.from(lists.matchAll(/\[([^\]]*)\]/g), ([, list = '']) =>
    Array.from(list.matchAll(/\w+/g), ([name]) => name),
  )
}
