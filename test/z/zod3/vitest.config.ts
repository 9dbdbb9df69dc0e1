import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const conditions = ['sluice-source', 'node', 'import', 'module', 'default']

/** What stands in the place of zod: `sluice/zod3`, or `lean` for `sluice/z`. */
const library = `${root}test/z/zod3/${process.env.SLUICE_Z ?? 'zod'}.ts`

/** The tests that zod publishes for its version 3, where they lie. */
export default defineConfig({
  root,
  resolve: {
    conditions,
    alias: [
      { find: /^zod\/v3$/, replacement: library },
      { find: /^\.\.\/ZodError\.js$/, replacement: library },
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
