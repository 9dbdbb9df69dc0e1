import { usageError } from '../errors.ts'
import { modelPath, type Name } from '../names/names.ts'
import { tablesOfModels } from './model-tables.ts'

/**
 * Refuse a new model that would share the table of another one: `Orders` beside `Order`, or `admin/User` beside `User`.
 *
 * @throws {CliError} with exit code 2
 */
export const assertOwnTable = (root: string, kind: string, name: Name, table: string): void => {
  const model = modelPath(name)
  const owner = tablesOfModels(root).find(([file, used]) => used === table && file !== `${model}.ts`)?.[0]
  if (owner === undefined) return
  const other = [...name.folders.map((folder) => folder.replaceAll('-', '_')), table].join('_')
  const remedy =
    other === table
      ? `For that model, write "sluice g ${kind} ${owner.replace(/\.\w+$/, '')}"; for another table, add --table <name>`
      : `For a table of its own, add --table ${other}`
  throw usageError(`The table ${table} belongs to src/app/models/${owner}. ${remedy}`)
}
