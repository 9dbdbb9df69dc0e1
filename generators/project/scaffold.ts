import { join } from 'node:path'
import { bundledTemplates, renderFile } from '../render.ts'
import { ownSpecifier } from '../version.ts'
import type { Blueprint } from './blueprint.ts'
import { bundledScripts, deployFiles, deployVariables } from './deploy.ts'
import { stripsTypes } from './loader.ts'
import type { PlannedFile } from './write.ts'

/** The packages of a project, in the version ranges that this version of sluice was tested with. */
export const VERSIONS = {
  kysely: '~0.28.18',
  '@photostructure/sqlite': '^1.2.1',
  pg: '^8.11.0',
  mysql2: '^3.9.0',
  '@biomejs/biome': '^2.6.8',
  '@types/node': '^20.19.43',
  esbuild: '^0.28.2',
  tsx: '^4.23.15',
  typescript: '~6.0.3',
} as const

/** The files of a project, from the templates in the package: nothing is fetched. */
export const planProject = (blueprint: Blueprint): readonly PlannedFile[] => {
  const { template, db, deploy, from } = blueprint
  const hasServer = bundledScripts(deploy) === undefined
  const variables = {
    ...blueprint,
    databaseUrl: URLS[db](blueprint.name),
    ...commandsOf(blueprint.packageManager),
    ...deployVariables(blueprint),
  }
  const files: Record<string, string | false> = {
    'tsconfig.json': 'tsconfig.json',
    'tsconfig.build.json': hasServer && 'tsconfig.build.json',
    'biome.json': 'biome.json',
    '.gitignore': 'gitignore',
    '.env': 'env',
    '.env.example': 'env',
    'README.md': 'README.md',
    'AGENTS.md': 'AGENTS.md',
    'src/app.ts': 'src/app.ts',
    'src/server.ts': hasServer && 'src/server.ts',
    'src/routes.ts': template !== 'minimal' && 'src/routes.ts',
    'src/start-page.ts': template === 'default' && 'src/start-page.ts',
    'src/database.ts': db !== 'none' && 'src/database.ts',
    'src/database/migrations/.gitkeep': db !== 'none' && 'gitkeep',
    'src/database/seeds/seed.ts': db !== 'none' && 'src/seed.ts',
    'test/app.test.ts': 'test/app.test.ts',
  }
  const filesOfDocument = {
    'test/operations.test.ts': 'test/operations.test.ts',
    'test/database.ts': db !== 'none' && '../test-database.ts',
  }
  const fill = (folder: string, sources: Readonly<Record<string, string | false>>): PlannedFile[] =>
    Object.entries(sources).flatMap(([path, source]) =>
      source === false
        ? []
        : [{ path, contents: renderFile(join(bundledTemplates(), folder, `${source}.ejs`), variables) }],
    )
  return [
    { path: 'package.json', contents: `${JSON.stringify(manifestOf(blueprint), null, 2)}\n` },
    ...fill('project', files),
    ...fill('deploy', deployFiles(deploy)),
    ...(from ? [...from.files, ...fill('project', filesOfDocument)] : []),
  ]
}

const URLS: Readonly<Record<Blueprint['db'], (name: string) => string>> = {
  sqlite: () => 'sqlite:./database.sqlite',
  postgres: (name) => `postgres://postgres@localhost:5432/${name.replaceAll(/\W/g, '_')}`,
  mysql: (name) => `mysql://root@localhost:3306/${name.replaceAll(/\W/g, '_')}`,
  none: () => '',
}

const commandsOf = (pm: Blueprint['packageManager']) => ({ pm, run: pm === 'npm' ? 'npm run' : `${pm} run` })

const manifestOf = ({ name, db, deploy }: Blueprint) => {
  const bundled = bundledScripts(deploy)
  const needsHelp = !stripsTypes()
  const hasDatabase = db !== 'none'
  // Node 20 has no SQLite built in.
  const sqlite = needsHelp ? ['@photostructure/sqlite'] : []
  const drivers = { sqlite, postgres: ['pg'], mysql: ['mysql2'], none: [] }[db]
  const helpers = [...(needsHelp ? ['tsx'] : []), ...(bundled ? ['esbuild'] : [])]
  const development = ['@biomejs/biome', '@types/node', ...helpers, 'typescript']
  return {
    name,
    version: '0.0.0',
    private: true,
    type: 'module',
    engines: { node: needsHelp ? '>=20.19' : '>=22.18' },
    scripts: {
      dev: 'sluice dev',
      ...(bundled ?? { build: 'tsc -p tsconfig.build.json', start: 'node dist/server.js' }),
      test: 'sluice test',
      check: 'tsc --noEmit',
      lint: 'biome check',
      format: 'biome check --write',
    },
    dependencies: pinned([...(hasDatabase ? ['kysely', ...drivers] : []), 'sluice']),
    devDependencies: pinned(development),
  }
}

/** In the order of npm, so that an installation changes nothing in the file. */
const pinned = (names: readonly string[]): Record<string, string> => {
  const versions: Readonly<Record<string, string>> = { ...VERSIONS, sluice: ownSpecifier() }
  return Object.fromEntries(names.toSorted().map((name) => [name, versions[name] ?? '']))
}
