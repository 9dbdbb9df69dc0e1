import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const conditions = ['sluice-source', 'node', 'import', 'module', 'default']

/** The tests that zod publishes for its version 3, where they lie, with `sluice/z` in the place of zod. */
export default defineConfig({
  root,
  resolve: {
    conditions,
    alias: [
      { find: /^zod\/v3$/, replacement: `${root}test/z/zod3/zod.ts` },
      { find: /^\.\.\/ZodError\.js$/, replacement: `${root}test/z/zod3/zod.ts` },
      { find: /^\.\.\/helpers\/util\.js$/, replacement: `${root}test/z/zod3/util.ts` },
    ],
  },
  ssr: { resolve: { conditions } },
  test: {
    include: ['node_modules/zod/src/v3/tests/*.test.ts'],
    exclude: [],
    server: { deps: { inline: [/zod\/src/] } },
    testTimeout: 20_000,
  },
})
