import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Tests run on `src`, through the same `#runtime/*` conditions as users get, plus the one that points at sources. */
export default defineConfig({
  root,
  resolve: {
    conditions: ['sluice-source', 'node', 'import', 'module', 'default'],
    alias: [
      { find: /^sluice$/, replacement: `${root}src/index.ts` },
      { find: /^sluice\/database$/, replacement: `${root}src/database/index.ts` },
      { find: /^sluice\/(.+)$/, replacement: `${root}src/$1.ts` },
    ],
  },
  ssr: { resolve: { conditions: ['sluice-source', 'node', 'import', 'module', 'default'] } },
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['**/node_modules/**', 'test/runtime/**', 'test/browser/**'],
    testTimeout: 20_000,
    hookTimeout: 30_000,
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts'],
      exclude: ['src/runtime/bun/**', 'src/runtime/deno/**', '**/*.d.ts'],
      thresholds: { branches: 95 },
    },
  },
})
