import { usageError } from '../errors.ts'
import type { Blueprint, DEPLOYS } from './blueprint.ts'

/** What a deployment target changes in a project. */
interface DeployTarget {
  /** Files by path, each with its template in `templates/deploy/`. */
  readonly files: Readonly<Record<string, string>>
  /** The supported databases, the default first. */
  readonly databases: readonly Blueprint['db'][]
  /** Why the others are not supported. */
  readonly reason: string
  /** The scripts of a project that is deployed as one file, instead of those of a server; absent for a server. */
  readonly bundled?: Readonly<Record<string, string>>
}

const ALL = ['sqlite', 'postgres', 'mysql', 'none'] as const

const IMAGE = { Dockerfile: 'Dockerfile', '.dockerignore': 'dockerignore' }

const PLACES: Readonly<Record<(typeof DEPLOYS)[number], DeployTarget>> = {
  docker: { files: IMAGE, databases: ALL, reason: '' },
  workers: {
    files: { 'wrangler.jsonc': 'wrangler.jsonc', 'src/worker.ts': 'worker.ts' },
    databases: ['none'],
    reason: 'a worker cannot keep a connection between requests',
    bundled: { build: 'sluice build --target workers', start: 'npx wrangler@4 dev' },
  },
  lambda: {
    files: { 'template.yaml': 'template.yaml', 'src/lambda.ts': 'lambda.ts' },
    databases: ['none', 'postgres', 'mysql'],
    reason: 'the files of a function are not kept',
    bundled: { build: 'sluice build src/lambda.ts' },
  },
  fly: {
    files: { ...IMAGE, 'fly.toml': 'fly.toml' },
    databases: ['none', 'postgres', 'mysql'],
    reason: 'the files of a machine are not kept',
  },
}

type Deploy = Blueprint['deploy']

/** The scripts of a project that is deployed as one file, or undefined for a project with its own server. */
export const bundledScripts = (deploy: Deploy): DeployTarget['bundled'] => deploy && PLACES[deploy].bundled

/** The templates that a target adds, by the path of their files. */
export const deployFiles = (deploy: Deploy): DeployTarget['files'] => (deploy === undefined ? {} : PLACES[deploy].files)

/** The default database of a target. */
export const usualDatabase = (deploy: Deploy, template: string | true | undefined): Blueprint['db'] =>
  template === 'minimal' || (deploy && PLACES[deploy].databases[0] === 'none') ? 'none' : 'sqlite'

/** The databases that a target supports. */
export const placeDatabases = (deploy: Deploy): DeployTarget['databases'] =>
  deploy === undefined ? ALL : PLACES[deploy].databases

/** @throws {CliError} with exit code 2 for a database that the target does not support. */
export const assertDatabase = (deploy: Deploy, db: Blueprint['db']): void => {
  if (deploy === undefined || PLACES[deploy].databases.includes(db)) return
  const { databases, reason } = PLACES[deploy]
  throw usageError(`--deploy ${deploy} takes --db ${databases.join(', ')}, not ${db}: ${reason}`)
}

/**
 * What to do before the image of a target can be built, if the project depends on a tarball outside of its folder: the
 * image cannot install that.
 *
 * @param specifier what the project's package.json says about sluice
 */
export const imageNote = (deploy: Deploy, specifier: string): string | undefined =>
  'Dockerfile' in deployFiles(deploy) && specifier.startsWith('file:')
    ? `sluice: the image cannot install ${specifier}. Copy that file into the project as sluice.tgz, write ` +
      '"sluice": "file:sluice.tgz" into package.json, and install again. Then add sluice.tgz to the first COPY of the ' +
      'Dockerfile, and !sluice.tgz to .dockerignore'
    : undefined

/** How each package manager installs the lock file, in an image with Node, npm and Yarn 1. */
const INSTALLS: Readonly<Record<Blueprint['packageManager'], object>> = {
  npm: { lock: 'package-lock.json', all: 'npm ci', production: 'npm prune --omit=dev' },
  pnpm: {
    before: 'RUN npm install --global pnpm@10',
    lock: 'pnpm-lock.yaml',
    all: 'pnpm install --frozen-lockfile',
    production: 'pnpm prune --prod',
  },
  yarn: {
    lock: 'yarn.lock',
    all: 'yarn install --frozen-lockfile',
    production: 'yarn install --frozen-lockfile --production',
  },
  bun: {
    before: 'COPY --from=oven/bun:1 /usr/local/bin/bun /usr/local/bin/bun',
    lock: 'bun.lock',
    all: 'bun install --frozen-lockfile',
    production: 'rm -rf node_modules && bun install --frozen-lockfile --production',
  },
}

/** The variables of the templates of a target, in addition to the blueprint. */
export const deployVariables = ({ name, template, db, packageManager, deploy, from }: Blueprint): object => ({
  deploy,
  hasServer: bundledScripts(deploy) === undefined,
  install: INSTALLS[packageManager],
  // The database settings of a container
  volume: { sqlite: '-v data:/data', none: '', postgres: '-e DATABASE_URL', mysql: '-e DATABASE_URL' }[db],
  health: template === 'minimal' ? '/' : (from?.health ?? '/health'),
  // Names on Workers and Fly consist of letters, digits and hyphens
  slug: name
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 63)
    .replace(/-$/, ''),
})
