import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { SHARDS } from './shards.mjs'

const USAGE = 'npm run mutate -- <shard> [part/parts] [file …] [--sample lines] [--seed number]'

/** Change the source of a shard, or lines of it drawn at random, and see which tests notice. */
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { sample: { type: 'string' }, seed: { type: 'string', default: String(Date.now() % 1_000_000) } },
})
const [shard = '', ...rest] = positionals
const part = rest.find((word) => /^\d+\/\d+$/.test(word)) ?? '1/1'
const files = rest.filter((word) => word !== part)
if (!SHARDS[shard]) {
  console.error(`Usage: ${USAGE}\nShards: ${Object.keys(SHARDS).join(', ')}`)
  process.exit(2)
}
const sample = values.sample ? { SLUICE_SAMPLE: values.sample, SLUICE_SAMPLE_SEED: values.seed } : {}
if (values.sample)
  console.log(`${values.sample} lines of ${shard}; the same again: --sample ${values.sample} --seed ${values.seed}`)
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
  { SLUICE_SHARD: shard, SLUICE_PART: part, SLUICE_FILES: files.join(','), ...sample },
)
