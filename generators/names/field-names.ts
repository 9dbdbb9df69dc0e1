import { usageError } from '../errors.ts'

/** Columns that every table has. A client cannot set them. */
export const OWN_COLUMNS: readonly string[] = ['id', 'createdAt', 'updatedAt', 'deletedAt', 'version']

/** Properties that every model, or every object, has. */
const MODEL_MEMBERS: readonly string[] = [
  ...['update', 'delete', 'restore', 'forceDelete', 'toJSON', 'constructor', 'prototype'],
  ...['toString', 'toLocaleString', 'valueOf', 'hasOwnProperty', 'isPrototypeOf', 'propertyIsEnumerable'],
]

/**
 * Refuse the name of a field that the model has already.
 *
 * @throws {CliError} with exit code 2
 */
export const assertFree = (name: string): void => {
  if (OWN_COLUMNS.includes(name) || MODEL_MEMBERS.includes(name))
    throw usageError(`A field cannot be called "${name}": the model has it already`)
}
