import { usageError } from '../errors.ts'
import type { Field } from '../fields/fields.ts'
import { keysOfModel } from '../fields/unique-keys.ts'
import type { KindInput } from '../kinds/kind.ts'
import { fieldsOfModel, isDefined } from './defined-model.ts'
import { flagsOfModel, keyOfModel, tableOfModel } from './model-fields.ts'

/**
 * Refuse a resource whose existing model lacks what the command line asks for: its routes and test would use columns
 * that the model does not have.
 *
 * @param file Path of the model in the project.
 * @throws {CliError} with exit code 2
 */
export const assertFits = (input: KindInput, file: string, source: string): void => {
  if (fits(input, source)) return
  throw usageError(
    `${file} exists and is not what the command line describes, so nothing was written. Leave out fields and switches ` +
      `to use it as it is, if it is a class ${input.name.pascal} that extends Model.define(…) and has a number as id; ` +
      'or replace it with --force',
  )
}

/** True if an existing model has all that the command line asks for, and has the key that a resource needs. */
export const fits = ({ name, flags, table, typed, unique }: KindInput, source: string): boolean => {
  const modelFlags = flagsOfModel(source)
  const keys = keysOfModel(source).map(textOfKey)
  return (
    new RegExp(`\\bclass ${name.pascal}\\b`).test(source) &&
    isDefined(source) &&
    keyOfModel(source) === 'number' &&
    ['soft-delete', 'lock', 'no-timestamps'].every((flag) => !flags.has(flag) || modelFlags.includes(flag)) &&
    table === (tableOfModel(source) ?? name.table) &&
    (typed.length === 0 || textOfFields(typed) === textOfFields(fieldsOfModel(source))) &&
    unique.every((key) => keys.includes(textOfKey(key)))
  )
}

/** A key may name a reference with `Id`. */
const textOfKey = (key: readonly string[]): string =>
  key
    .map((name) => name.replace(/Id$/, ''))
    .sort()
    .join()

const textOfFields = (fields: readonly Field[]): string =>
  fields
    .map(({ name, spec, optional }) => `${name}:${spec}${optional ? '?' : ''}`)
    .sort()
    .join()
