import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { behavioural } from '../behavioural.ts'
import { SHARDS } from './shards.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const shard = process.env.SLUICE_SHARD ?? ''
const onEdge = shard === 'edge'
const conditions = ['sluice-source', onEdge ? 'edge-light' : 'node', 'import', 'default']

/** One project, in threads and one file after the other: Stryker runs the tests of one mutant at a time. */
export default defineConfig({
  root,
  resolve: {
    conditions,
    alias: [
      { find: /^sluice$/, replacement: `${root}src/index.ts` },
      { find: /^sluice\/(.+)$/, replacement: `${root}src/$1.ts` },
    ],
  },
  ssr: { resolve: { conditions } },
  test: {
    setupFiles: ['./test/mutate/collected.mjs', './test/seed.ts', './test/undo.ts'],
    testTimeout: 60_000,
    env: { SLUICE_SERVICES: shard === 'database' ? 'on' : 'off' },
    include: [...SHARDS[shard]!.tests, ...(onEdge ? behavioural : [])],
    exclude: [
      '**/node_modules/**',
      'test/**/*.slow.test.ts',
      'test/{runtime,browser}/**',
      // They read the text of the source, where Stryker has put code of its own
      'test/{layers,types-and-sizes}.test.ts',
      // It starts a process, where no mutant is active
      'test/database/smoke.test.ts',
    ],
  },
})
