import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { defineConfig, type Plugin, type TestProjectInlineConfiguration } from 'vitest/config'
import { behavioural } from './behavioural.ts'
import { SERVICE_GROUP } from './service-group.ts'
import { thorough } from './thorough.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/** The script is plain JavaScript, which has no declarations. */
const script = `${root}rollup.production.mjs`
const { compileForProduction }: { compileForProduction(file: string, source: string): Promise<string> } = await import(
  script
)

/** Conditions under which `#runtime/*` stands on the platform's own `Request` and `Response`. */
const mode = process.env.SLUICE_MODE ? [process.env.SLUICE_MODE] : []
const edge = [...mode, 'sluice-source', 'edge-light', 'import', 'default']
/** Those of Node, without the `module` of bundlers: what stands behind it Node may not be able to load. */
const conditions = [...mode, 'sluice-source', 'node', 'import', 'default']

const slow = 'test/**/*.slow.test.ts'
/** Suites with a project or a runner of their own. */
const apart = [
  '**/node_modules/**',
  'test/runtime/**',
  'test/browser/**',
  'test/site/**',
  'test/**/*.production.test.ts',
]

/** The test files of a folder, without those of packages, which some folders have by the thousand. */
const testFiles = (folder: string): string[] =>
  readdirSync(root + folder, { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : testFiles(path)
    return path.endsWith('.test.ts') ? [path] : []
  })

const sources = new Map(testFiles('test').map((file) => [file, readFileSync(root + file, 'utf8')]))

/** The test files that import or call something. */
const importing = (asked: RegExp): string[] =>
  Array.from(sources)
    .filter(([, source]) => asked.test(source))
    .map(([file]) => file)

/**
 * Files that replace modules, time or the facades: no other file may share their process. Nor may those that use recheck,
 * which does not load once tsx is registered.
 */
const alone = importing(
  /\bvi\.(?:mock|doMock|resetModules)\(|\bsetFacadeContainer\b|\buseFakeTimers\b|from 'recheck'/,
).filter((file) => !/\.slow\.|^test\/(?:runtime|browser|site)\//.test(file) && !thorough.includes(file))

/** Sources as the build for production has them. */
const production: Plugin = {
  name: 'production',
  enforce: 'pre',
  transform: (code, id) => (/\/src\/.*\.ts$/.test(id) ? compileForProduction(id, code) : undefined),
}

/** Groups that need a service are skipped in every project but `services`. */
const withoutServices = { SLUICE_SERVICES: 'off' }

type Settings = NonNullable<TestProjectInlineConfiguration['test']>

/** A file of the project `services` has other tests too, which have run in another project. */
const onlyServiceGroups: Plugin = {
  name: 'only-service-groups',
  configureVitest({ project: { config } }) {
    config.testNamePattern ??= SERVICE_GROUP
  },
}

const project = (name: string, test: Settings, more: object = {}) => ({
  extends: true as const,
  ...more,
  test: { ...test, name },
})

/**
 * Tests run on `src`, through the same `#runtime/*` conditions as users get, plus the one that points at sources.
 *
 * `node` and `alone` are `npm test`; `npm run test:all` runs every project, the packed package and all runtimes.
 */
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
    setupFiles: ['./test/seed.ts', './test/undo.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // One more than there are cores, since some files wait for sockets and processes
    maxWorkers: availableParallelism() + 1,
    reporters: ['default', './test/reporter.ts'],
    projects: [
      // A process each costs as much as the tests of most files
      project('node', {
        include: ['test/**/*.test.ts'],
        exclude: [...apart, slow, ...alone, ...thorough],
        env: withoutServices,
        isolate: false,
      }),
      project('alone', { include: alone, env: withoutServices }),
      project('thorough', { include: [...thorough], env: withoutServices }),
      project(
        'platform',
        { include: [...behavioural], env: withoutServices },
        { resolve: { conditions: edge }, ssr: { resolve: { conditions: edge } } },
      ),
      project('production', { include: ['test/**/*.production.test.ts'] }, { plugins: [production] }),
      // Slow files, and files with random inputs once more with many of them.
      project('slow', {
        include: [slow, ...importing(/\/fuzz\.ts'/)],
        exclude: apart,
        env: { ...withoutServices, SLUICE_FUZZ: 'full' },
        testTimeout: 180_000,
        sequence: { groupOrder: 1 },
      }),
      // Of each file that has such groups, only those that need PostgreSQL, MariaDB or Redis.
      project(
        'services',
        { include: importing(/\/(?:services|databases)\.ts'/), exclude: apart, sequence: { groupOrder: 2 } },
        { plugins: [onlyServiceGroups] },
      ),
      project('browser', {
        include: ['test/browser/**/*.test.ts'],
        maxWorkers: 1,
        sequence: { groupOrder: 3 },
      }),
      // The built site: `npm run site` comes before
      project('site', {
        include: ['test/site/**/*.test.ts'],
        testTimeout: 300_000,
        maxWorkers: 1,
        sequence: { groupOrder: 3 },
      }),
      project('e2e', {
        include: ['test/**/*.e2e.ts'],
        globalSetup: './test/generators/e2e/shared.ts',
        testTimeout: 180_000,
        hookTimeout: 300_000,
        maxWorkers: 2,
        sequence: { groupOrder: 4 },
      }),
    ],
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts'],
      exclude: ['src/runtime/bun/**', 'src/runtime/deno/**', '**/*.d.ts'],
      // The target is 95. The last measured figure was 95.48
      thresholds: { branches: 95.4 },
    },
  },
})
