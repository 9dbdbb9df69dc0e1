import { type ChildProcess, spawn } from 'node:child_process'
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { VERSIONS } from '../../../generators/project/scaffold.ts'
// @ts-expect-error: a script without types
import { binaries } from '../../runtime/binaries.mjs'
import { createScratchDatabase, hasService } from '../../services.ts'
import { filesIn } from '../run-command.ts'
import { temporaryFolder } from '../sandbox.ts'
import { buildImage, type Image, runIn, startImage } from './image.ts'
import { installAlone, installProject, packTarball, runProgram, startServer } from './packed.ts'

const runtimes: Record<'node24' | 'bun' | 'deno' | 'workerd', string[]> = binaries()
let tarball = ''
let command = ''

beforeAll(() => {
  tarball = packTarball()
  command = installAlone(tarball).command
})

/** A new project with a resource if it has a database, and its packages. */
const scaffold = (options: readonly string[], more: Readonly<Record<string, string>> = {}): string => {
  const parent = temporaryFolder()
  const words = [command, 'new', 'blog', '--no-git', '--no-install', ...options]
  expect(runProgram(parent, process.execPath, words)).toMatchObject({ status: 0 })
  const project = join(parent, 'blog')
  const { status, out } = installProject(project, tarball, more)
  expect(status, out).toBe(0)
  if (existsSync(join(project, 'src/database.ts')))
    expect(sluice(project, 'g', 'resource', 'Post', 'title:string').status).toBe(0)
  return project
}

const sluice = (project: string, ...words: string[]) =>
  runProgram(project, process.execPath, [join(project, 'node_modules/sluice/dist/generators/cli.js'), ...words])

/** What every check of a project passes. */
const isClean = (project: string): void => {
  for (const words of [['run', 'check'], ['run', 'lint'], ['test']]) {
    const { status, out } = runProgram(project, 'npm', words)
    expect({ words, status, out: status === 0 ? '' : out }).toEqual({ words, status: 0, out: '' })
  }
  expect(runProgram(project, 'npx', ['--no-install', 'biome', 'format'])).toMatchObject({ status: 0 })
}

const ask = async (origin: string, path: string, body?: object) => {
  const headers = { 'content-type': 'application/json' }
  const init = body && { method: 'POST', headers, body: JSON.stringify(body) }
  const response = await fetch(origin + path, { ...init, signal: AbortSignal.timeout(10_000) })
  return { status: response.status, body: await response.text() }
}

const workers: ChildProcess[] = []
afterAll(() => {
  for (const worker of workers) worker.kill('SIGKILL')
})

/** Serve a file of `build/` on workerd, and give its origin. */
const serve = async (project: string, file: string, settings: string): Promise<string> => {
  const module = `modules = [(name = "worker", esModule = embed "${file}")], compatibilityDate = "2026-01-01"`
  writeFileSync(
    join(project, 'build/config.capnp'),
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "app", worker = (${module}, ${settings})), (name = "net", network = (allow = ["private"]))],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "app")]
);`,
  )
  const [program = ''] = runtimes.workerd
  const worker = spawn(program, ['serve', 'config.capnp', '--control-fd=3'], {
    cwd: join(project, 'build'),
    stdio: ['ignore', 'inherit', 'inherit', 'pipe'],
  })
  workers.push(worker)
  return new Promise((resolve, reject) => {
    let told = ''
    worker.stdio[3]?.on('data', (chunk) => {
      told += chunk
      const found = /"port":(\d+)/.exec(told)?.[1]
      if (found) resolve(`http://127.0.0.1:${found}`)
    })
    worker.once('exit', (code) => reject(new Error(`workerd ended with ${code}`)))
  })
}

describe('OP6: docker, with SQLite', () => {
  let project = ''
  let image: Image
  beforeAll(() => {
    project = scaffold(['--deploy', 'docker'])
    image = buildImage(project, temporaryFolder())
  })

  test('the project is clean', () => isClean(project))

  test('the image contains what it runs, and no sources, secrets or tools', () => {
    expect(readdirSync(join(image.root, image.workdir)).sort()).toEqual(['dist', 'node_modules', 'package.json'])
    expect(existsSync(join(image.root, image.workdir, 'node_modules/typescript'))).toBe(false)
    expect(image.user).toBe('node')
  })

  test('it migrates, is healthy, answers from its database, and ends on SIGTERM with 0', async () => {
    // The machine has one `/`, so the volume is in the folder of the image
    const DATABASE_URL = (image.env.DATABASE_URL ?? '').replace('sqlite:/', `sqlite:${image.root}/`)
    expect(runIn(image, ['node_modules/.bin/sluice', 'db:migrate'], { DATABASE_URL })).toMatchObject({ status: 0 })
    const server = await startImage(image, { DATABASE_URL, PORT: '0', HOST: '127.0.0.1' })
    const PORT = new URL(server.origin).port
    expect(await ask(server.origin, '/posts', { title: 'Hello' })).toMatchObject({ status: 201 })
    expect((await ask(server.origin, '/posts')).body).toContain('Hello')
    expect(runIn(image, image.check, { PORT })).toEqual({ status: 0, out: '' })
    expect(await server.end('SIGTERM')).toEqual({ code: 0, signal: null })
    expect(runIn(image, image.check, { PORT }).status).toBe(1)
  })

  test.each(['node', 'bun', 'deno'] as const)(
    'FX2: the same project as one file for %s, with its database',
    async (target) => {
      expect(sluice(project, 'build', '--target', target, '--out', `build/${target}`).status).toBe(0)
      const before = filesIn(join(project, 'build'))
      expect(sluice(project, 'build', '--target', target, '--out', `build/${target}`).out).not.toMatch(
        /^(create|overwrite)/m,
      )
      expect(filesIn(join(project, 'build'))).toEqual(before)
      const alone = temporaryFolder()
      cpSync(join(project, 'build', target), alone, { recursive: true })
      const url = `sqlite:${join(alone, 'data.sqlite')}`
      expect(sluice(project, 'db:migrate', '--url', url)).toMatchObject({ status: 0 })
      const [program = '', ...args] = runtimes[target === 'node' ? 'node24' : target]
      const server = await startServer(alone, program, [...args, 'server.mjs'], { PORT: '0', DATABASE_URL: url })
      try {
        expect(await ask(server.address, '/posts', { title: 'Hello' })).toMatchObject({ status: 201 })
        expect((await ask(server.address, '/posts')).body).toContain('Hello')
        expect((await ask(server.address, '/posts', {})).status).toBe(422)
        expect((await ask(server.address, '/reference')).status).toBe(200)
      } finally {
        await server.stop()
      }
    },
  )
})

describe.each(['default', 'api', 'minimal'])('OP6: workers, template %s', (template) => {
  let project = ''
  beforeAll(() => {
    project = scaffold(['--deploy', 'workers', '--template', template])
  })

  test('the project is clean', () => isClean(project))

  test('the output of npm run build runs on workerd, without a flag', async () => {
    expect(runProgram(project, 'npm', ['run', 'build']).status).toBe(0)
    const origin = await serve(project, 'worker.mjs', '')
    expect(await ask(origin, template === 'minimal' ? '/' : '/health')).toMatchObject({ status: 200 })
    expect(await ask(origin, '/openapi.json')).toMatchObject({ status: 200 })
    expect(await ask(origin, '/nowhere')).toMatchObject({ status: 404 })
    if (template === 'default') expect((await ask(origin, '/')).body).toContain('<h1>blog</h1>')
  })
})

test('FX2: a worker that opens PostgreSQL in each request does so on workerd, with nodejs_compat', async () => {
  if (!hasService('postgres')) return
  const { url, drop } = await createScratchDatabase('postgres')
  try {
    const project = scaffold(['--db', 'postgres'], { esbuild: VERSIONS.esbuild })
    writeFileSync(
      join(project, 'src/worker.ts'),
      `import { sql } from 'kysely'
import { createDatabase } from 'sluice/database'
import { createApp } from 'sluice/tiny'
export default createApp<{ URL: string }, {}>().get('/', async (ctx) => {
  const db = createDatabase(ctx.env.URL)
  const { rows } = await sql\`select 1 + 1 as two\`.execute(db)
  await db.destroy()
  return ctx.json(rows)
})
`,
    )
    const built = sluice(project, 'build', '--target', 'workers')
    expect(built.out).toMatch(/nodejs_compat is needed for .*node:net/)
    const bindings = `bindings = [(name = "URL", text = "${url}")], compatibilityFlags = ["nodejs_compat"], globalOutbound = "net"`
    const origin = await serve(project, 'worker.mjs', bindings)
    for (const _ of [1, 2]) expect(await ask(origin, '/')).toEqual({ status: 200, body: '[{"two":2}]' })
  } finally {
    for (const worker of workers.splice(0)) worker.kill('SIGKILL')
    await drop()
  }
})

/** The event that AWS documents for an HTTP API, for another request. */
const eventFor = (method: string, path: string, body?: object): object => {
  const file = new URL('../../adapter/fixtures/http-api-2.0.json', import.meta.url)
  const { event } = JSON.parse(readFileSync(file, 'utf8'))
  const http = { ...event.requestContext.http, method, path }
  const text = body && {
    body: JSON.stringify(body),
    isBase64Encoded: false,
    headers: { 'content-type': 'application/json' },
  }
  return {
    ...event,
    rawPath: path,
    rawQueryString: '',
    body: undefined,
    ...text,
    requestContext: { ...event.requestContext, http },
  }
}

describe.each(['none', 'postgres', 'mysql'] as const)('OP6: lambda, database %s', (db) => {
  let project = ''
  let drop = async (): Promise<void> => {}
  beforeAll(() => {
    project = scaffold(['--deploy', 'lambda', '--db', db])
  })
  afterAll(() => drop())

  test('the project is clean', () => {
    if (db === 'none' || hasService(db)) isClean(project)
  })

  test('the output of npm run build, alone in its folder, handles events on Node 24', async () => {
    expect(runProgram(project, 'npm', ['run', 'build']).status).toBe(0)
    const alone = temporaryFolder()
    cpSync(join(project, 'build'), alone, { recursive: true })
    const events: object[] = [eventFor('GET', '/health'), eventFor('GET', '/nowhere')]
    const env: Record<string, string> = {}
    if (db !== 'none' && hasService(db)) {
      const scratch = await createScratchDatabase(db)
      drop = scratch.drop
      env.DATABASE_URL = scratch.url
      expect(sluice(project, 'db:migrate', '--url', scratch.url)).toMatchObject({ status: 0 })
      events.push(eventFor('POST', '/posts', { title: 'Hello' }), eventFor('GET', '/posts'))
    }
    const script = `import { handler } from './lambda.mjs'
const answers = []
for (const event of ${JSON.stringify(events)}) answers.push(await handler(event, {}))
console.log('\\n' + JSON.stringify(answers))
process.exit()`
    writeFileSync(join(alone, 'invoke.mjs'), script)
    const { status, out } = runProgram(alone, runtimes.node24[0] ?? '', ['--enable-source-maps', 'invoke.mjs'], env)
    expect(status, out).toBe(0)
    const answers = JSON.parse(out.slice(out.lastIndexOf('\n[') + 1))
    expect(answers.map(({ statusCode }: { statusCode: number }) => statusCode)).toEqual(
      [200, 404, 201, 200].slice(0, events.length),
    )
    if (events.length > 2) expect(answers[3].body).toContain('Hello')
  })
})

test('OP6: fly.toml and template.yaml are read as what they are meant to be', () => {
  const read = (project: string, name: string, format: 'TOML' | 'YAML') => {
    const script = `console.log(JSON.stringify(Bun.${format}.parse(await Bun.file('${name}').text())))`
    const { status, out } = runProgram(project, runtimes.bun[0] ?? '', ['-e', script])
    expect(status, out).toBe(0)
    return JSON.parse(out)
  }
  const parent = temporaryFolder()
  for (const place of ['fly', 'lambda'])
    runProgram(parent, process.execPath, [
      command,
      'new',
      place,
      '--no-git',
      '--no-install',
      '--deploy',
      place,
      '--db',
      'postgres',
    ])
  expect(read(join(parent, 'fly'), 'fly.toml', 'TOML')).toEqual({
    app: 'fly',
    kill_signal: 'SIGTERM',
    kill_timeout: 15,
    deploy: { release_command: 'node_modules/.bin/sluice db:migrate' },
    http_service: {
      internal_port: 3000,
      force_https: true,
      auto_stop_machines: 'stop',
      auto_start_machines: true,
      min_machines_running: 0,
      checks: [{ method: 'GET', path: '/health', interval: '15s', timeout: '2s', grace_period: '10s' }],
    },
  })
  const { Transform, Parameters, Resources, Outputs } = read(join(parent, 'lambda'), 'template.yaml', 'YAML')
  expect(Transform).toBe('AWS::Serverless-2016-10-31')
  expect(Parameters.DatabaseUrl).toEqual({ Type: 'String', NoEcho: true })
  expect(Resources.Application).toMatchObject({
    Type: 'AWS::Serverless::Function',
    Metadata: { SkipBuild: true },
    Properties: {
      CodeUri: 'build/',
      Handler: 'lambda.handler',
      Runtime: 'nodejs24.x',
      Environment: { Variables: { NODE_ENV: 'production', DATABASE_URL: { Ref: 'DatabaseUrl' } } },
      Events: { Http: { Type: 'HttpApi' } },
    },
  })
  expect(Outputs.Url.Value['Fn::Sub']).toContain('https://${ServerlessHttpApi}.')
})
