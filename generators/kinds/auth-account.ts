import { usageError } from '../errors.ts'
import type { Field } from '../fields/fields.ts'
import type { RelatedModel } from '../fields/relations.ts'
import { tablesOfModels } from '../models/model-tables.ts'
import { modelPath } from '../names/names.ts'
import type { KindInput } from './kind.ts'

/**
 * Prevents users of one model from signing in with another model.
 *
 * @param credentials Table of the credentials.
 * @throws {CliError} with exit code 2 if another model has the table of the account, or that of its credentials.
 */
export const assertOwnTables = (
  { root, name }: KindInput,
  account: RelatedModel,
  { credentials, inside }: { readonly credentials: string; readonly inside: string },
): void => {
  const model = modelPath(name)
  const tables: Readonly<Record<string, string>> = {
    [account.file]: account.table,
    [`${inside}${name.pascal}Credential.ts`]: credentials,
  }
  for (const [file, table] of tablesOfModels(root)) {
    if (file in tables || !Object.values(tables).includes(table)) continue
    const remedy =
      table === credentials
        ? 'rename one of them'
        : `first give ${model} its own table, with tableName or with ` +
          `sluice g model ${model} email:email:unique --table <name>, and migrate it`
    throw usageError(
      `src/app/models/${file} already uses the table "${table}": a user of one model would be signed in to both; ${remedy}`,
    )
  }
}

/** The fields of the command line, without the address, which every account has. */
export const ownFields = (typed: readonly Field[]): readonly Field[] => typed.filter(({ name }) => name !== 'email')

/**
 * The fields that a client may send to register: those of the command line. Other columns of the model are never added.
 *
 * @throws {CliError} with exit code 2 if they are not enough to create a record, or would reveal who has an account.
 */
export const registeredFields = ({ name, typed, isDefined }: KindInput, account: RelatedModel): readonly Field[] => {
  const fields = ownFields(typed)
  const reference = fields.find(({ relation }) => relation !== undefined)
  if (reference !== undefined)
    throw usageError(
      `${reference.name}: a reference cannot be sent to register, because the response would reveal which records exist; ` +
        'let users set it after they have signed in',
    )
  if (!account.exists) return fields
  const file = `src/app/models/${account.file}`
  if (!isDefined)
    throw usageError(
      `${file} is not made by Model.define, which has the schemas of what clients send: ` +
        `write class ${account.className} extends Model.define('${account.table}', { email: t.email().unique() })`,
    )
  // An address that is not stored in the normalized form of a login is an account that nobody can sign in to.
  if (
    !account.fields.some(
      ({ name, kind, unique, optional }) => name === 'email' && kind === 'email' && unique && !optional,
    )
  )
    throw usageError(`${file} has no field "email" that is unique and of type email: write email: t.email().unique()`)
  const names = new Set(['email', ...fields.map(({ name }) => name)])
  const missing = account.fields.filter(({ name, optional }) => !optional && !names.has(name))
  if (missing.length > 0) {
    const specs = [...typed, ...missing].map((field) => `${field.name}:${field.spec}`)
    throw usageError(
      `${file} requires ${missing.map(({ name }) => `"${name}"`).join(', ')}: if a client may send it to register, use ` +
        `sluice g auth ${modelPath(name)} ${specs.join(' ')}; else make it optional`,
    )
  }
  return fields.map((clientField) => {
    const field = account.fields.find(({ name, visibility }) => name === clientField.name && visibility === undefined)
    if (field === undefined)
      throw usageError(
        `${file} has no field "${clientField.name}" that clients may set: write ${clientField.name}: ${clientField.define}`,
      )
    return field
  })
}
