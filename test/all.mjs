import { spawnSync } from 'node:child_process'

/**
 * Every test there is: `npm run test:all [-- options of vitest]`. A part that fails does not stop the next.
 * Each part prints `<name> N passed, N failed`.
 */
const parts = [
  // What only the tests of documents need, installed apart
  ['npm', 'ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', 'test/openapi/tools'],
  ['npx', 'vitest', 'run', '--config', 'test/vitest.config.ts', ...process.argv.slice(2)],
  ['npm', 'run', 'test:package'],
  ['npm', 'run', 'test:runtimes'],
]
const failed = parts.filter(([command, ...args]) => spawnSync(command, args, { stdio: 'inherit' }).status !== 0)
for (const part of failed) console.error(`failed: ${part.join(' ')}`)
process.exitCode = failed.length ? 1 : 0
