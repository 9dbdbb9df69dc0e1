import { existsSync, readdirSync } from 'node:fs'
import { sampleLines } from './sample.mjs'
import { SHARDS } from './shards.mjs'

const { SLUICE_SHARD = '', SLUICE_PART = '1/1', SLUICE_FILES = '', SLUICE_SAMPLE, SLUICE_SAMPLE_SEED } = process.env
const [part, parts] = SLUICE_PART.split('/').map(Number)
/** The files below a folder, if there is such a folder, without those that hold types only. */
const below = (folder) =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true })
        .filter((name) => name.endsWith('.ts') && !/(?:types?|contract|\.d)\.ts$/.test(name))
        .map((name) => `${folder}/${name}`)
    : []
const all = SLUICE_FILES ? SLUICE_FILES.split(',') : SHARDS[SLUICE_SHARD].folders.flatMap(below).sort()
const files = all.filter((_, at) => at % parts === part - 1)
const name = `${SLUICE_SHARD}-${SLUICE_PART.replace('/', '-of-')}${SLUICE_SAMPLE ? `-seed-${SLUICE_SAMPLE_SEED}` : ''}`

const mutate = SLUICE_SAMPLE ? sampleLines(files, Number(SLUICE_SAMPLE), Number(SLUICE_SAMPLE_SEED)) : files
// For `collected.mjs`
process.env.SLUICE_MUTATED = [...new Set(mutate.map((place) => place.replace(/:.*/, '')))].join(',')

/** @type {import('@stryker-mutator/api/core').PartialStrykerOptions} */
export default {
  mutate,
  plugins: [new URL('node_modules/@stryker-mutator/vitest-runner/dist/src/index.js', import.meta.url).href],
  testRunner: 'vitest',
  vitest: { configFile: 'test/mutate/vitest.config.ts', related: false },
  // Of each mutant only the tests that reach it
  coverageAnalysis: 'perTest',
  // What stands at the top of a module would need every test of the shard; `SLUICE_STATIC=1` takes them too
  ignoreStatic: process.env.SLUICE_STATIC !== '1',
  // Messages are for people, and most tests name a part of them only
  mutator: { excludedMutations: ['StringLiteral'] },
  concurrency: Number(process.env.SLUICE_CONCURRENCY ?? 1),
  timeoutMS: 20_000,
  timeoutFactor: 3,
  dryRunTimeoutMinutes: 15,
  tempDirName: 'tmp/stryker',
  ignorePatterns: ['dist', 'tmp', 'coverage', 'test/*/tools', 'test/next', 'test/bench', 'examples/**/.*'],
  checkers: [],
  disableTypeChecks: true,
  reporters: ['progress-append-only', 'clear-text', 'json'],
  clearTextReporter: { logTests: false, allowColor: false, reportTests: false, reportMutants: true },
  jsonReporter: { fileName: `tmp/mutate/${name}.json` },
  thresholds: { high: 95, low: 92, break: null },
  allowEmpty: false,
}
