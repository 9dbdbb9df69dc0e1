import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const root = fileURLToPath(new URL('../..', import.meta.url))
const conditions = ['sluice-source', 'node', 'import', 'module', 'default']

/** Tests in which a browser decides, over real sockets. One after the other: a browser takes a core of its own. */
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
  test: { include: ['test/browser/**/*.test.ts'], fileParallelism: false, testTimeout: 30_000, hookTimeout: 60_000 },
})
