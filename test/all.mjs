import { spawnSync } from 'node:child_process'

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
 * stop the next. Each part prints `<name> N passed, N failed`.
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
  // Random inputs by the thousand say nothing about coverage, and it makes them three times as slow
  vitest(['slow', 'browser', 'e2e']),
  ['npm', 'run', 'test:package'],
  ['npm', 'run', 'test:runtimes'],
]
const failed = parts.filter(([command, ...args]) => {
  const start = Date.now()
  const { status } = spawnSync(command, args, { stdio: 'inherit' })
  console.log(`took ${Math.round((Date.now() - start) / 1_000)} s: ${[command, ...args].join(' ')}`)
  return status !== 0
})
for (const part of failed) console.error(`failed: ${part.join(' ')}`)
process.exitCode = failed.length ? 1 : 0
