import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { SHARDS } from './shards.mjs'

/** `npm run mutate -- <shard> [part/parts] [file …]`: change the source of a shard, and see which tests notice. */
const [shard = '', ...rest] = process.argv.slice(2)
const part = rest.find((word) => /^\d+\/\d+$/.test(word)) ?? '1/1'
const files = rest.filter((word) => word !== part)
if (!SHARDS[shard]) {
  console.error(`Usage: npm run mutate -- <shard> [part/parts] [file …]\nShards: ${Object.keys(SHARDS).join(', ')}`)
  process.exit(2)
}
const root = fileURLToPath(new URL('../..', import.meta.url))
const run = (command, args, env = {}) =>
  spawnSync(command, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } }).status ?? 1

if (!existsSync(`${root}test/mutate/node_modules/@stryker-mutator`)) {
  const status = run('npm', [
    'ci',
    '--ignore-scripts',
    '--legacy-peer-deps',
    '--no-audit',
    '--no-fund',
    '--prefix',
    'test/mutate',
  ])
  if (status !== 0) process.exit(status)
}
process.exitCode = run(
  process.execPath,
  ['test/mutate/node_modules/@stryker-mutator/core/bin/stryker.js', 'run', 'test/mutate/stryker.config.mjs'],
  { SLUICE_SHARD: shard, SLUICE_PART: part, SLUICE_FILES: files.join(',') },
)
