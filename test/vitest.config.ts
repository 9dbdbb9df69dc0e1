import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Conditions under which `#runtime/*` stands on the platform's own `Request` and `Response`. */
const edge = ['sluice-source', 'edge-light', 'import', 'module', 'default']

/** Files whose assertions hold with either pair of classes; they run once with each. */
const behavioural = [
  'test/{app,app-types,context,errors,middleware-contract,routing,finalizers}.test.ts',
  'test/respond/**/*.test.ts',
  'test/contract/**/*.test.ts',
  'test/middleware/{api-version,auth,body-parser,csrf,logger,sanitizer,session,validator}.test.ts',
]

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
    exclude: ['**/node_modules/**', 'test/runtime/**', 'test/browser/**'],
    testTimeout: 20_000,
    hookTimeout: 30_000,
    projects: [
      { extends: true, test: { name: 'node', include: ['test/**/*.test.ts'] } },
      {
        extends: true,
        resolve: { conditions: edge },
        ssr: { resolve: { conditions: edge } },
        test: { name: 'platform', include: behavioural },
      },
    ],
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts'],
      exclude: ['src/runtime/bun/**', 'src/runtime/deno/**', '**/*.d.ts'],
      thresholds: { branches: 95 },
    },
  },
})
