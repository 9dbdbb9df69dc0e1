import type { TableMetadata } from 'kysely'
import { hasSwitch, type Invocation, type RunCommand, textOption } from '../../command.ts'
import { type OpenDatabase, openDatabase } from '../../database/database.ts'
import { type TableKey, uniqueKeysOf } from '../../database/database-keys.ts'
import { compareSchema, type Difference } from '../../database/schema-diff.ts'
import { columnsToFill, isConstrained, planMissing } from '../../database/schema-migrations.ts'
import { rawQuery } from '../../database/server.ts'
import { databaseError, type ExitCode, usageError } from '../../errors.ts'
import { type ModelTable, readModels } from '../../models/models.ts'
import { table } from '../../output.ts'
import { databaseFolder } from '../../project/folders.ts'
import { formatFiles } from '../../project/format.ts'
import { projectRoot } from '../../project/project.ts'
import { writeFiles } from '../../project/write.ts'
import { reportFiles } from '../../report.ts'

/**
 * `sluice db:diff`: what the models declare but the database does not have, and with `--write` the migration for it.
 */
export const dbDiff: RunCommand = async (invocation) => {
  const alone = ['dry-run', 'force'].find((option) => hasSwitch(invocation, option))
  if (alone !== undefined && !hasSwitch(invocation, 'write')) throw usageError(`--${alone} goes with --write`)
  const root = projectRoot(invocation)
  const models = await readModels(root)
  const { tables, keys } = await readTables(invocation, root)
  const differences = compareSchema(models, tables, keys)
  return hasSwitch(invocation, 'write')
    ? write(invocation, root, models, differences)
    : reportDifferences(invocation, models, differences)
}

interface Schema {
  readonly tables: readonly TableMetadata[]
  readonly keys: readonly TableKey[]
}

const readTables = (invocation: Invocation, root: string): Promise<Schema> =>
  openDatabase(invocation, root, async (open) => {
    const { module, db, url } = open
    const folder = databaseFolder(root, 'migrations', textOption(invocation, 'folder'))
    const waiting = (await module.status({ db, folder })).find(({ state }) => state !== 'executed')
    if (waiting) throw databaseError(`${waiting.name} is ${waiting.state}: run sluice db:migrate first`)
    return { tables: await tablesOf(root, open), keys: await uniqueKeysOf(root, url, db) }
  })

/** For PostgreSQL, only those of the current schema: Kysely returns those of all schemas. */
const tablesOf = async (root: string, { db, url }: OpenDatabase): Promise<readonly TableMetadata[]> => {
  const tables = await db.introspection.getTables()
  if (!/^postgres/i.test(url)) return tables
  const { rows } = await db.executeQuery(await rawQuery(root, 'select current_schema() as name'))
  const { name } = (rows[0] ?? {}) as { name?: string }
  return tables.filter(({ schema }) => schema === name)
}

const reportDifferences = (
  { output, options }: Invocation,
  models: readonly ModelTable[],
  differences: readonly Difference[],
): ExitCode => {
  const ok = differences.every(({ state }) => state === 'extra')
  if (options.json === true) output.line(JSON.stringify({ ok, differences }, null, 2))
  else {
    for (const line of linesOf(differences)) output.line(line)
    if (differences.length === 0) output.line(`The database has all that ${countOf(models)} declare`)
  }
  return ok ? 0 : 4
}

const countOf = (models: readonly ModelTable[]): string =>
  models.length === 1 ? 'one model' : `${models.length} models`

const linesOf = (differences: readonly Difference[]): readonly string[] =>
  table(
    differences.map((difference) => {
      const { state, table: name, column, unique } = difference
      const place = unique ? `${name}(${unique.join(', ')})` : column === undefined ? name : `${name}.${column}`
      return [state, place, reasonOf(difference)]
    }),
  )

const reasonOf = ({ state, column, unique, model, expected, found }: Difference): string => {
  if (unique) return state === 'extra' ? 'unique, which no model declares' : `${model} declares it unique`
  if (state === 'extra') return `${found}, which no model declares`
  if (state === 'differs') return `${model} declares ${expected}, the database has ${found}`
  return column === undefined ? `the table of ${model}` : `${model} declares ${expected}`
}

/**
 * Missing tables and columns become migrations. Existing ones are never dropped or changed, because that could lose
 * rows.
 */
const write = async (
  invocation: Invocation,
  root: string,
  models: readonly ModelTable[],
  differences: readonly Difference[],
): Promise<ExitCode> => {
  const files = await formatFiles(root, planMissing(root, models, differences))
  const left = differences.filter((each) => each.state === 'differs' || isConstrained(models, each))
  const force = hasSwitch(invocation, 'force')
  const outcome = writeFiles(root, files, { force, dryRun: hasSwitch(invocation, 'dry-run') })
  const advice =
    left.length > 0 ? ['Write a migration for these yourself:', ...linesOf(left).map((line) => `  ${line}`)] : []
  const nothing = files.length + advice.length === 0 ? ['Nothing is missing'] : []
  const isNew = !hasSwitch(invocation, 'dry-run') && outcome.some(({ action }) => action === 'create')
  const toFill = columnsToFill(models, differences)
  const fill = `, then fill ${toFill.join(', ')} in existing rows and make ${toFill.length === 1 ? 'it' : 'them'} not null`
  const next = isNew ? [`Next: npx sluice db:migrate${toFill.length > 0 ? fill : ''}`] : []
  const code = reportFiles(invocation, root, files, outcome, [...advice, ...nothing, ...next])
  return code === 0 && left.length > 0 ? 4 : code
}
