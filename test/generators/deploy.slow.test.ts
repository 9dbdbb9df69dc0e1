import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { installSources } from './packaged.ts'
import { filesIn, runCommand } from './run-command.ts'
import { temporaryFolder } from './sandbox.ts'

/** A new project, without packages. */
const scaffold = async (...options: string[]) => {
  const parent = temporaryFolder()
  const made = await runCommand(parent, ['new', 'my.blog_2', '--no-install', '--no-git', ...options])
  expect(made).toMatchObject({ code: 0, err: '' })
  const root = join(parent, 'my.blog_2')
  const files = filesIn(root)
  return { root, files, manifest: JSON.parse(files['package.json'] ?? '') }
}

/** An event as AWS documents it, for a path that the application has. */
const eventFor = (name: string, path: string) => {
  const file = new URL(`../adapter/fixtures/${name}.json`, import.meta.url)
  const { event } = JSON.parse(readFileSync(file, 'utf8'))
  const { requestContext } = event
  if (event.version === '1.0') return { ...event, path, httpMethod: 'GET' }
  return {
    ...event,
    rawPath: path,
    requestContext: { ...requestContext, http: { ...requestContext.http, method: 'GET', path } },
  }
}

/** The instructions of a Dockerfile, with the lines of each put together. */
const instructions = (dockerfile = ''): string[] => dockerfile.split('\n').filter((line) => /^[A-Z]/.test(line))

const PLACES = {
  docker: ['.dockerignore', 'Dockerfile'],
  fly: ['.dockerignore', 'Dockerfile', 'fly.toml'],
  workers: ['src/worker.ts', 'wrangler.jsonc'],
  lambda: ['src/lambda.ts', 'template.yaml'],
}

describe('OP6: new --deploy', () => {
  test.each(Object.entries(PLACES))(
    '%s adds its files, and says in the README how they are used',
    async (place, own) => {
      const plain = Object.keys((await scaffold('--db', 'none')).files)
      const { files } = await scaffold('--db', 'none', '--deploy', place)
      expect(Object.keys(files).filter((path) => !plain.includes(path))).toEqual(own)
      expect(files['README.md']).toMatch(/## Deployment\n\n```sh\n[^`]+\n```\n/)
      for (const [path, text] of Object.entries(files)) expect(text, path).not.toMatch(/undefined|\n\n\n/)
    },
  )

  test.each(['docker', 'fly'])('%s: an image in two stages, whose last runs node as its user', async (place) => {
    const { files } = await scaffold('--db', 'none', '--deploy', place)
    const lines = instructions(files.Dockerfile)
    expect(lines.filter((line) => line.startsWith('FROM'))).toEqual(['FROM node:24-slim AS build', 'FROM node:24-slim'])
    expect(lines.indexOf('USER node')).toBeGreaterThan(lines.findLastIndex((line) => line.startsWith('COPY')))
    expect(lines.at(-1)).toBe('CMD ["node", "dist/server.js"]')
    const [check] = lines.filter((line) => line.startsWith('HEALTHCHECK'))
    expect(JSON.parse(/CMD (\[.*\])$/.exec(check ?? '')?.[1] ?? '')).toEqual([
      'node',
      '-e',
      expect.stringContaining('/health'),
    ])
    // Nothing goes into the image that is not named: no .env, no database, no .git
    const let_in = files['.dockerignore']?.trim().split('\n')
    expect(let_in).toEqual([
      '*',
      '!package.json',
      '!package-lock.json',
      '!tsconfig.json',
      '!tsconfig.build.json',
      '!src',
    ])
    for (const line of lines.filter((text) => /^COPY (?!--from)/.test(text)))
      for (const path of line.split(' ').slice(1, -1)) expect(let_in).toContain(`!${path}`)
  })

  test.each([
    ['npm', 'package-lock.json', 'RUN npm ci', 'RUN npm prune --omit=dev'],
    ['pnpm', 'pnpm-lock.yaml', 'RUN pnpm install --frozen-lockfile', 'RUN pnpm prune --prod'],
    ['yarn', 'yarn.lock', 'RUN yarn install --frozen-lockfile', 'RUN yarn install --frozen-lockfile --production'],
    [
      'bun',
      'bun.lock',
      'RUN bun install --frozen-lockfile',
      'RUN rm -rf node_modules && bun install --frozen-lockfile --production',
    ],
  ])('docker: %s installs what its lock file says', async (manager, lock, ...runs) => {
    const { files } = await scaffold('--deploy', 'docker', '--package-manager', manager)
    const lines = instructions(files.Dockerfile)
    expect(lines).toEqual(expect.arrayContaining([`COPY package.json ${lock} ./`, ...runs]))
    expect(files['.dockerignore']).toContain(`!${lock}\n`)
  })

  test.each([
    ['pnpm', 'RUN npm install --global pnpm@10', 'RUN pnpm install --frozen-lockfile'],
    ['bun', 'COPY --from=oven/bun:1 /usr/local/bin/bun /usr/local/bin/bun', 'RUN bun install --frozen-lockfile'],
  ])('docker: %s, which the image does not have, is installed before it is used', async (manager, ...order) => {
    const { files } = await scaffold('--deploy', 'docker', '--package-manager', manager)
    const [before, use] = order.map((line) => instructions(files.Dockerfile).indexOf(line))
    expect(before).toBeGreaterThan(0)
    expect(use).toBeGreaterThan(before!)
  })

  test.each([
    ['sqlite', '-v data:/data '],
    ['postgres', '-e DATABASE_URL '],
    ['mysql', '-e DATABASE_URL '],
    ['none', ''],
  ])('docker: the commands of the README give the container its database: %s', async (db, option) => {
    const { files } = await scaffold('--deploy', 'docker', '--db', db)
    const lines = files['README.md']?.match(/^docker run .*$/gm)
    const serve = `docker run -p 3000:3000 --stop-timeout 15 ${option}my-blog-2`
    const migrate = `docker run --rm ${option}my-blog-2 node_modules/.bin/sluice db:migrate`
    expect(lines).toEqual(db === 'none' ? [serve] : [migrate, serve])
  })

  test.each([
    [['--template', 'minimal'], 'none'],
    [['--template', 'minimal', '--deploy', 'docker'], 'none'],
    [['--deploy', 'docker'], 'sqlite'],
    [['--deploy', 'fly'], 'none'],
    [['--deploy', 'lambda'], 'none'],
    [['--deploy', 'workers'], 'none'],
    [[], 'sqlite'],
  ])('%j without --db has the database %s', async (options, db) => {
    const { files } = await scaffold(...options)
    expect(files['.env']?.includes('DATABASE_URL=sqlite:') ?? false).toBe(db === 'sqlite')
    expect('src/database.ts' in files).toBe(db === 'sqlite')
  })

  test('workers: what npm start and wrangler run is the file of the build', async () => {
    const { files, manifest } = await scaffold('--deploy', 'workers')
    expect(manifest.scripts).toMatchObject({ build: 'sluice build --target workers', start: 'npx wrangler@4 dev' })
    const settings = JSON.parse((files['wrangler.jsonc'] ?? '').replaceAll(/^ *\/\/.*$/gm, ''))
    expect(settings).toMatchObject({ no_bundle: true, upload_source_maps: true, build: { watch_dir: 'src' } })
  })

  test('docker: the layers that change least come first, and the server can be reached from outside', async () => {
    const lines = instructions((await scaffold('--deploy', 'docker')).files.Dockerfile)
    const build = lines.slice(0, lines.lastIndexOf('FROM node:24-slim'))
    expect(build).toEqual([
      'FROM node:24-slim AS build',
      'WORKDIR /app',
      'COPY package.json package-lock.json ./',
      'RUN npm ci',
      'COPY tsconfig.json tsconfig.build.json ./',
      'COPY src ./src',
      'RUN npm run build && mkdir -p dist/database/migrations',
      'RUN npm prune --omit=dev',
    ])
    expect(lines).toEqual(
      expect.arrayContaining(['ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000', 'EXPOSE 3000', 'WORKDIR /app']),
    )
  })

  test.each([
    [200, 0],
    [503, 1],
  ])('docker: the health check of a server that answers %i ends with %i', async (status, code) => {
    const lines = instructions((await scaffold('--deploy', 'docker')).files.Dockerfile)
    const [program, ...words] = JSON.parse(/HEALTHCHECK .*? CMD (.*)/.exec(lines.join('\n'))?.[1] ?? '')
    const asked: (string | undefined)[] = []
    const server = createServer((request, response) => {
      asked.push(request.url)
      response.writeHead(status).end()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const child = spawn(program, words, { env: { PATH: process.env.PATH, PORT: String(port) }, stdio: 'inherit' })
    expect(await new Promise((resolve) => child.once('exit', resolve))).toBe(code)
    expect(asked).toEqual(['/health'])
    server.close()
  })

  test('fly: the template api counts requests by the address that the proxy of Fly gives', async () => {
    const { files } = await scaffold('--deploy', 'fly', '--template', 'api')
    expect(files['src/app.ts']).toContain("clientKey({ trustProxy: 1, header: 'fly-client-ip' })")
    expect(files['src/app.ts']).toContain("keyGenerator: clientKey({ trustProxy: 1, header: 'fly-client-ip' })")
    expect((await scaffold('--deploy', 'docker', '--template', 'api')).files['src/app.ts']).not.toContain('clientKey')
  })

  test.each([
    ['workers', ['.wrangler/', '.dev.vars']],
    ['lambda', ['.aws-sam/']],
  ])('%s: what its tools write, and its secrets, stay out of the repository', async (place, names) => {
    const ignored = (await scaffold('--deploy', place)).files['.gitignore']?.split('\n')
    expect(ignored).toEqual(expect.arrayContaining(['.env', '.env.local', 'node_modules/', 'build/', ...names]))
  })

  test('a slug is at most 63 characters long, and does not end with a hyphen', async () => {
    const parent = temporaryFolder()
    const name = `a${'b'.repeat(61)}.c`
    await runCommand(parent, ['new', name, '--no-install', '--no-git', '--deploy', 'fly'])
    expect(filesIn(join(parent, name))['fly.toml']).toContain(`app = 'a${'b'.repeat(61)}'\n`)
  })

  test('a second run changes nothing, and says why', async () => {
    const { root, files } = await scaffold('--deploy', 'docker')
    const again = await runCommand(join(root, '..'), ['new', 'my.blog_2', '--no-install', '--deploy', 'fly'])
    expect(again).toEqual({ code: 1, out: '', err: `sluice: ${root} is not empty; nothing was changed\n` })
    expect(filesIn(root)).toEqual(files)
  })

  test('docker: SQLite is a file in a volume that belongs to node', async () => {
    const { files } = await scaffold('--deploy', 'docker')
    expect(instructions(files.Dockerfile)).toEqual(
      expect.arrayContaining([
        'RUN mkdir /data && chown node:node /data',
        'ENV DATABASE_URL=sqlite:/data/database.sqlite',
        'VOLUME /data',
      ]),
    )
    expect(files['README.md']).toContain('docker run -p 3000:3000 --stop-timeout 15 -v data:/data my-blog-2\n')
  })

  test('fly: the database is migrated before a release, and the health check uses an existing route', async () => {
    const { files } = await scaffold('--deploy', 'fly', '--db', 'postgres', '--template', 'minimal')
    expect(files['fly.toml']).toContain("app = 'my-blog-2'\n")
    expect(files['fly.toml']).toContain("release_command = 'node_modules/.bin/sluice db:migrate'\n")
    expect(files['fly.toml']).toContain("path = '/'\n")
    expect(files.Dockerfile).not.toContain('/health')
    expect((await scaffold('--deploy', 'fly')).files['fly.toml']).not.toContain('release_command')
  })

  test.each(['default', 'api', 'minimal'])(
    'workers, template %s: builds into a worker that answers',
    async (template) => {
      const { root, files, manifest } = await scaffold('--deploy', 'workers', '--template', template)
      const settings = JSON.parse((files['wrangler.jsonc'] ?? '').replaceAll(/^ *\/\/.*$/gm, ''))
      expect(settings).toMatchObject({
        name: 'my-blog-2',
        main: 'build/worker.mjs',
        build: { command: 'npm run build' },
      })
      expect(Object.keys(manifest.devDependencies)).toContain('esbuild')
      expect(JSON.stringify(manifest)).not.toMatch(/kysely/)
      installSources(root)
      const [command, ...words] = manifest.scripts.build.split(' ')
      expect(command).toBe('sluice')
      expect(await runCommand(root, words)).toMatchObject({ code: 0, err: '' })
      const { default: worker } = await import(/* @vite-ignore */ join(root, settings.main))
      const ask = (path: string): Promise<Response> => worker.fetch(new Request(`http://localhost${path}`), {}, {})
      expect((await ask(template === 'minimal' ? '/' : '/health')).status).toBe(200)
      expect((await ask('/openapi.json')).status).toBe(200)
      expect((await ask('/nowhere')).status).toBe(404)
    },
  )

  test.each(['http-api-2.0', 'http-api-1.0'])('lambda: builds into a handler that answers %s', async (name) => {
    const { root, files, manifest } = await scaffold('--deploy', 'lambda')
    installSources(root)
    expect(await runCommand(root, manifest.scripts.build.split(' ').slice(1))).toMatchObject({ code: 0, err: '' })
    const [, folder] = /CodeUri: (\S+)\//.exec(files['template.yaml'] ?? '') ?? []
    const [, module, name_] = /Handler: (\w+)\.(\w+)/.exec(files['template.yaml'] ?? '') ?? []
    const handler = (await import(/* @vite-ignore */ join(root, folder!, `${module}.mjs`)))[name_!]
    expect(await handler(eventFor(name, '/health'), {})).toMatchObject({ statusCode: 200, body: '{"status":"ok"}' })
  })

  test.each([
    [
      'an unknown place',
      ['--deploy', 'dokcer'],
      '--deploy must be one of docker, workers, lambda, fly, not "dokcer". Did you mean "docker"?',
    ],
    ['no place', ['--deploy'], '--deploy needs a value'],
    ['two places', ['--deploy', 'docker', '--deploy', 'fly'], '--deploy is given more than once'],
    [
      'a database that a worker cannot have',
      ['--deploy', 'workers', '--db', 'sqlite'],
      '--deploy workers takes --db none, not sqlite: a worker cannot keep a connection',
    ],
    [
      'a file for a database on Lambda',
      ['--deploy', 'lambda', '--db', 'sqlite'],
      '--deploy lambda takes --db none, postgres, mysql, not sqlite',
    ],
    [
      'a file for a database on Fly',
      ['--deploy', 'fly', '--db', 'sqlite'],
      '--deploy fly takes --db none, postgres, mysql, not sqlite',
    ],
  ])('%s is refused, and nothing is written', async (_, options, message) => {
    const parent = temporaryFolder()
    expect(await runCommand(parent, ['new', 'blog', ...options])).toEqual({
      code: 2,
      out: '',
      err: expect.stringContaining(message),
    })
    expect(filesIn(parent)).toEqual({})
  })
})
