import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A run of some projects of vitest. */
const vitest = (projects, options = []) => [
  'npx',
  ...['vitest', 'run', '--config', 'test/vitest.config.ts'],
  ...projects.flatMap((name) => ['--project', name]),
  ...options,
]

const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefix']

/**
 * Every test there is: `npm run test:all [-- options of vitest for the fast projects]`. A part that fails does not
 * stop the next. Each part prints `<name> N passed, N failed`. What failed stands once more at the end.
 */
const parts = [
  // What only the tests of documents, platforms, exporters, other frameworks, Fastly and Next need, installed apart. Not
  // `npm ci` for the last two: it refuses a lock without the compilers of other systems, which a mirror may not have
  ['npm', 'ci', ...quiet, 'test/openapi/tools'],
  ['npm', 'ci', ...quiet, 'test/adapter/tools'],
  ['npm', 'ci', ...quiet, 'test/telemetry/tools'],
  ['npm', 'ci', ...quiet, 'test/migrating/tools'],
  ['npm', 'install', '--no-save', ...quiet, 'test/adapter/fastly-tools'],
  ['npm', 'install', '--no-save', ...quiet, 'test/next/app'],
  vitest(['node', 'alone', 'thorough', 'platform', 'services'], process.argv.slice(2)),
  ['npm', 'run', 'site', '--silent'],
  // Random inputs by the thousand say nothing about coverage, and it makes them three times as slow. What is compiled for
  // production has other branches than the sources
  vitest(['production', 'slow', 'browser', 'site', 'e2e']),
  ['npm', 'run', 'test:package'],
  ['npm', 'run', 'test:runtimes'],
]
const folder = mkdtempSync(join(tmpdir(), 'sluice-failures-'))
const failures = join(folder, 'names')
const env = { ...process.env, SLUICE_FAILURES: failures }
const failed = parts.filter(([command, ...args]) => {
  const start = Date.now()
  const { status } = spawnSync(command, args, { stdio: 'inherit', env })
  console.log(`took ${Math.round((Date.now() - start) / 1_000)} s: ${[command, ...args].join(' ')}`)
  return status !== 0
})
for (const part of failed) console.error(`failed: ${part.join(' ')}`)
if (existsSync(failures)) console.error(readFileSync(failures, 'utf8'))
rmSync(folder, { recursive: true })
process.exitCode = failed.length ? 1 : 0
