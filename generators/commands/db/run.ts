import { relative } from 'node:path'
import type { MigrationOptions, MigrationRun, SeedRun } from '../../../src/database.ts'
import { hasSwitch, type Invocation, type RunCommand, textOption } from '../../command.ts'
import { type OpenDatabase, openDatabase } from '../../database/database.ts'
import { usageError } from '../../errors.ts'
import { table } from '../../output.ts'
import { type DatabaseFolder, databaseFolder } from '../../project/folders.ts'
import { importModule } from '../../project/loader.ts'
import { projectRoot } from '../../project/project.ts'

/** `sluice db:migrate`: run the pending migrations. */
export const dbMigrate: RunCommand = (invocation) =>
  withProject(invocation, async ({ module, options }) => {
    const to = textOption(invocation, 'to')
    const dryRun = hasSwitch(invocation, 'dry-run')
    const runs = await module.migrate({ ...options, dryRun, ...(to !== undefined && { to }) })
    printRuns(invocation, runs, dryRun, 'Nothing to migrate')
  })

/** `sluice db:rollback`: revert the latest migration, `--step` of them, or all. */
export const dbRollback: RunCommand = (invocation) => {
  const stepText = textOption(invocation, 'step')
  const all = hasSwitch(invocation, 'all')
  if (all && stepText !== undefined) throw usageError('--step and --all exclude each other')
  const step = all ? 'all' : readStep(stepText)
  const dryRun = hasSwitch(invocation, 'dry-run')
  if (!dryRun) assertAllowed(invocation)
  return withProject(invocation, async ({ module, options }) => {
    printRuns(invocation, await module.rollback({ ...options, dryRun, step }), dryRun, 'Nothing to roll back')
  })
}

/** `sluice db:status`: all migrations, executed and pending. */
export const dbStatus: RunCommand = (invocation) =>
  withProject(invocation, async ({ module, options, root }) => {
    const list = await module.status(options)
    if (hasSwitch(invocation, 'json'))
      return invocation.output.line(JSON.stringify({ ok: true, migrations: list }, null, 2))
    if (list.length === 0) return invocation.output.line(`There are no migrations in ${relative(root, options.folder)}`)
    const rows = list.map(({ name, state, executedAt }) => [
      state,
      name,
      executedAt ? new Date(executedAt).toISOString() : '',
    ])
    for (const line of table(rows)) invocation.output.line(colorState(line, invocation))
  })

/** `sluice db:fresh`: drop everything, migrate, and seed on request. */
export const dbFresh: RunCommand = (invocation) => {
  assertAllowed(invocation)
  return withProject(invocation, async ({ module, options, root }) => {
    // Checked before anything is dropped: the folder may not exist.
    const seedFolder = hasSwitch(invocation, 'seed') ? databaseFolder(root, 'seeds') : undefined
    const runs = await module.fresh(options)
    const seeds = seedFolder === undefined ? [] : await module.seed({ ...options, folder: seedFolder })
    printRuns(invocation, runs, false, 'There are no migrations', seeds)
  })
}

/** `sluice db:seed`: run the seeds, in the order of their names. */
export const dbSeed: RunCommand = (invocation) => {
  assertAllowed(invocation)
  const work = async ({ module, options, root }: Project): Promise<void> => {
    const nothing = `There are no seeds in ${relative(root, options.folder)}`
    printRuns(invocation, [], false, nothing, await module.seed(options))
  }
  return withProject(invocation, work, 'seeds')
}

interface Project {
  readonly root: string
  readonly module: OpenDatabase['module']
  readonly options: MigrationOptions
}

/** Open the project's database, work on it, and always close it. */
const withProject = async (
  invocation: Invocation,
  work: (project: Project) => Promise<void>,
  kind: DatabaseFolder = 'migrations',
): Promise<0> => {
  const root = projectRoot(invocation)
  await openDatabase(invocation, root, ({ module, db }) => {
    const folder = databaseFolder(root, kind, textOption(invocation, 'folder'))
    return work({ root, module, options: { db, folder, load: (file) => importModule(root, file) } })
  })
  return 0
}

const printRuns = (
  { output, options }: Invocation,
  runs: readonly MigrationRun[],
  dryRun: boolean,
  nothing: string,
  seeds: readonly SeedRun[] = [],
): void => {
  const names = seeds.map(({ name }) => name)
  if (options.json === true) {
    output.line(JSON.stringify({ ok: true, dryRun, runs, seeds: names }, null, 2))
    return
  }
  if (runs.length + names.length === 0) output.line(nothing)
  for (const { name, direction, durationMs, statements } of runs) {
    const time = dryRun ? '' : output.paint.dim(` ${Math.round(durationMs)} ms`)
    output.line(`${output.paint.green(direction === 'up' ? 'migrate ' : 'rollback')} ${name}${time}`)
    if (dryRun) for (const { sql } of statements) output.line(`  ${sql};`)
  }
  for (const name of names) output.line(`${output.paint.green('seed    ')} ${name}`)
  if (dryRun && runs.length > 0) output.line(output.paint.dim('Nothing was run: this was a dry run.'))
}

const colorState = (line: string, { output }: Invocation): string =>
  line.replace(/^\w+/, (state) =>
    (state === 'executed' ? output.paint.green : state === 'pending' ? output.paint.yellow : output.paint.red)(state),
  )

const readStep = (text = '1'): number => {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text)
  throw usageError(`--step must be a whole number from 1 on, not ${JSON.stringify(text)}`)
}

/** In production, commands that delete rows need `--force`. */
const assertAllowed = (invocation: Invocation): void => {
  if (invocation.env.NODE_ENV !== 'production' || hasSwitch(invocation, 'force')) return
  throw usageError('NODE_ENV is production: use --force to run this')
}
