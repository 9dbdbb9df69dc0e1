import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createScratchDatabase, hasService } from '../../services.ts'
import { filesIn } from '../run-command.ts'
import { temporaryFolder } from '../sandbox.ts'
import {
  type Ended,
  installAlone,
  installProject,
  packTarball,
  plainEnv,
  runProgram,
  type Server,
  startServer,
} from './packed.ts'

let tarball = ''
let command = ''
let alone = ''

beforeAll(() => {
  tarball = packTarball()
  const installed = installAlone(tarball)
  command = installed.command
  alone = installed.folder
})

describe('the packed tarball in an empty folder', () => {
  test('brings sade and eta, and nothing that runs at install', () => {
    expect(readdirSync(join(alone, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual([
      'eta',
      'mri',
      'sade',
      'sluice',
    ])
    for (const name of ['eta', 'mri', 'sade', 'sluice']) {
      const { scripts = {} } = JSON.parse(readFileSync(join(alone, 'node_modules', name, 'package.json'), 'utf8'))
      expect(Object.keys(scripts)).not.toEqual(
        expect.arrayContaining([expect.stringMatching(/^(?:pre|post)?install$/)]),
      )
    }
  })

  test('answers by its bin', () => {
    expect(runProgram(alone, 'npx', ['--no-install', 'sluice', '--version']).out).toContain('sluice, ')
    expect(runProgram(alone, process.execPath, [command, 'g', 'modle', 'x']).status).toBe(2)
  })

  test('generates without a project around it', () => {
    const folder = temporaryFolder()
    expect(runProgram(folder, process.execPath, [command, 'g', 'service', 'Billing'])).toEqual({
      status: 0,
      out: `create    src/app/services/Billing.ts
sluice: No package.json here depends on sluice, so the files are in ${folder}; "sluice new <name>" starts a project
`,
    })
  })
})

test.each([
  ['--help', ['mri', 'sade'], 3],
  ['g model User --dry-run', ['eta', 'mri', 'sade'], 5],
  ['g resource Post title:string --dry-run', ['eta', 'mri', 'sade'], 5],
])('%s loads %j and at most %i files of the command', (line, packages, most) => {
  const folder = temporaryFolder()
  const words = [command, ...line.split(' ')]
  expect(runProgram(temporaryFolder(), process.execPath, words, { NODE_V8_COVERAGE: folder }).status).toBe(0)
  const loaded = readdirSync(folder)
    .flatMap((file): { url: string }[] => JSON.parse(readFileSync(join(folder, file), 'utf8')).result)
    .filter(({ url }) => url.startsWith('file:'))
    .map(({ url }) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1])
  expect([...new Set(loaded)].sort()).toEqual([...packages, 'sluice'])
  expect(loaded.filter((name) => name === 'sluice').length).toBeLessThanOrEqual(most)
})

describe('new, before anything is installed', () => {
  const create = (cwd: string, ...args: string[]): Ended => runProgram(cwd, process.execPath, [command, 'new', ...args])

  test('a folder with a file in it is not touched', () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'mine.txt'), 'mine')
    expect(create(folder, '.', '--no-git', '--no-install')).toMatchObject({ status: expect.any(Number) })
    expect(filesIn(folder)).toEqual({ 'mine.txt': 'mine' })
  })

  test('--dry-run writes nothing', () => {
    const folder = temporaryFolder()
    expect(create(folder, 'blog', '--dry-run').status).toBe(0)
    expect(readdirSync(folder)).toEqual([])
  })

  test('a repository is begun unless --no-git, and the name ends up in the package', () => {
    const folder = temporaryFolder()
    expect(create(folder, 'Blog', '--no-install').status).toBe(0)
    expect(existsSync(join(folder, 'Blog/.git'))).toBe(true)
    expect(JSON.parse(readFileSync(join(folder, 'Blog/package.json'), 'utf8')).name).toBe('blog')
    expect(create(folder, 'shop', '--no-install', '--no-git').status).toBe(0)
    expect(existsSync(join(folder, 'shop/.git'))).toBe(false)
  })

  test('a failing install leaves the project and says what to do, exit 1', () => {
    const folder = temporaryFolder()
    const { status, out } = runProgram(folder, process.execPath, [command, 'new', 'blog', '--no-git'], {
      npm_config_registry: 'http://127.0.0.1:9',
      npm_config_fetch_retries: '0',
      npm_config_cache: join(folder, 'cache'),
    })
    expect(status).toBe(1)
    expect(out).toContain('"npm install" failed')
    expect(existsSync(join(folder, 'blog/src/app.ts'))).toBe(true)
  })
})

describe('new, at a terminal', () => {
  /** Run `new` on a pseudo terminal, and type when it asks. */
  const atTerminal = (cwd: string, typed: string, env: Readonly<Record<string, string>> = {}): Promise<string> =>
    new Promise((resolve) => {
      const line = `${process.execPath} ${command} new blog --no-install --no-git; echo "code $?"`
      const child = spawn('script', ['-qec', line, '/dev/null'], {
        cwd,
        env: { ...plainEnv(env), CI: env.CI ?? '' },
        timeout: 20_000,
      })
      const answers = typed.split('|')
      let answered = 0
      let printed = ''
      child.stdout.on('data', (chunk) => {
        printed += chunk
        // A question comes in one chunk or in several; each is answered once
        const asked = printed.match(/\) \[\w+\] /g)?.length ?? 0
        if (answered < asked) child.stdin.write(answers[answered++] ?? '')
      })
      child.once('exit', () => resolve(printed))
    })

  test('asks for template and database', async () => {
    const folder = temporaryFolder()
    expect(await atTerminal(folder, 'api\r|none\r')).toContain('code 0')
    expect(readFileSync(join(folder, 'blog/src/app.ts'), 'utf8')).toContain('rateLimiter')
    expect(existsSync(join(folder, 'blog/src/database.ts'))).toBe(false)
  })

  test('an interrupt leaves with 130 and makes nothing', async () => {
    const folder = temporaryFolder()
    expect(await atTerminal(folder, '\x03')).toContain('code 130')
    expect(readdirSync(folder)).toEqual([])
  })

  test('asks nothing where CI is set', async () => {
    const folder = temporaryFolder()
    const printed = await atTerminal(folder, '', { CI: '1' })
    expect(printed).not.toContain('Template (')
    expect(printed).toContain('code 0')
  })
})

/** What is asked of the served application, whichever template and database it has. */
const exercise = async ({ address }: Server, template: string, hasDatabase: boolean): Promise<void> => {
  const ask = async (method: string, path: string, body?: object) => {
    const init =
      body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
    const response = await fetch(address + path, { method, ...init, signal: AbortSignal.timeout(10_000) })
    return { status: response.status, body: await response.text() }
  }
  const front = template === 'minimal' ? '/' : '/health'
  expect((await ask('GET', front)).status).toBe(200)
  expect((await ask('DELETE', front)).status).toBe(405)
  expect((await ask('GET', '/nowhere')).status).toBe(404)
  if (!hasDatabase) return
  const stored = await ask('POST', '/posts', { title: 'Hello' })
  expect(stored.status).toBe(201)
  const { id } = JSON.parse(stored.body).data
  expect((await ask('GET', `/posts/${id}`)).status).toBe(200)
  expect((await ask('PUT', `/posts/${id}`, { title: 'Changed' })).body).toContain('Changed')
  expect((await ask('POST', '/posts', {})).status).toBe(422)
  expect((await ask('DELETE', `/posts/${id}`)).status).toBe(204)
  expect((await ask('GET', `/posts/${id}`)).status).toBe(404)
}

const TEMPLATES = ['default', 'api', 'minimal']
const DATABASES = ['sqlite', 'postgres', 'mysql', 'none']

test('every template with every database is clean, as it is and with a resource in it', () => {
  const root = temporaryFolder()
  const settings = new Set<string>()
  const dependencies: Record<string, string> = {}
  for (const state of ['new', 'with-resource'])
    for (const template of TEMPLATES)
      for (const db of DATABASES) {
        const name = `${state}-${template}-${db}`
        const words = ['new', name, '--template', template, '--db', db, '--no-install', '--no-git']
        expect(runProgram(root, process.execPath, [command, ...words]).status).toBe(0)
        const project = join(root, name)
        const resource = ['g', 'resource', 'Post', 'title,body:text?']
        if (state !== 'new') expect(runProgram(project, process.execPath, [command, ...resource]).status).toBe(0)
        const manifest = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'))
        Object.assign(dependencies, manifest.dependencies, manifest.devDependencies)
        // One run of each program reads all of them, by the settings that each of them has
        settings.add(
          ['tsconfig.json', 'biome.json'].map((file) => readFileSync(join(project, file), 'utf8')).join('\n\n'),
        )
        rmSync(join(project, 'biome.json'))
      }
  expect(settings.size).toBe(1)
  const [tsconfig = '', biome = ''] = [...settings].join('').split('\n\n')
  const all = { ...JSON.parse(tsconfig), include: ['*/src', '*/test'] }
  writeFileSync(join(root, 'tsconfig.json'), JSON.stringify(all))
  writeFileSync(join(root, 'biome.json'), biome)
  writeFileSync(join(root, 'package.json'), JSON.stringify({ name: 'all', type: 'module', dependencies }))
  expect(installProject(root, tarball).status).toBe(0)
  const mistaken = join(root, 'new-minimal-none/src/mistake.ts')
  writeFileSync(mistaken, 'export const wrong: number = "text"\n')
  const types = runProgram(root, 'npx', ['--no-install', 'tsc', '--noEmit'])
  expect(types.out.match(/^.*error TS.*$/gm)).toEqual([
    expect.stringContaining('new-minimal-none/src/mistake.ts(1,14)'),
  ])
  rmSync(mistaken)
  // Its linter and its formatter, for all files but those that this test has put around them
  const projects = readdirSync(root).filter((name) => /^(?:new|with-resource)-/.test(name))
  // The resource was written before a formatter was installed: it stands there as its templates gave it
  const written = projects.filter((name) => name.startsWith('with-resource-'))
  const format = ['--no-install', 'biome', 'check', '--write', '--linter-enabled=false', ...written]
  expect(runProgram(root, 'npx', format).status).toBe(0)
  const style = runProgram(root, 'npx', ['--no-install', 'biome', 'ci', ...projects])
  expect({ status: style.status, out: style.status === 0 ? '' : style.out }).toEqual({ status: 0, out: '' })
})

/**
 * Each template and each database once; default with the three databases is in `ten-commands.e2e.ts`. Between two
 * databases only URLs differ in the sources.
 */
const SERVED = [
  { template: 'default', db: 'sqlite' },
  { template: 'api', db: 'postgres' },
  { template: 'minimal', db: 'mysql' },
  { template: 'minimal', db: 'none' },
] as const

describe.each(SERVED)('new --template $template --db $db', ({ template, db }) => {
  const parent = temporaryFolder()
  const project = join(parent, 'blog')
  const sluice = join(project, 'node_modules/sluice/dist/generators/cli.js')
  const runs = (program: string, ...args: string[]): void => {
    const { status, out } = runProgram(project, program, args)
    expect({ status, out: status === 0 ? '' : out }).toEqual({ status: 0, out: '' })
  }
  let drop = async (): Promise<void> => {}
  afterAll(() => drop())

  test('installs, and its checks and tests are green as it is', () => {
    const words = ['new', 'blog', '--template', template, '--db', db, '--no-install', '--no-git']
    expect(runProgram(parent, process.execPath, [command, ...words]).status).toBe(0)
    expect(installProject(project, tarball).status).toBe(0)
    if (template === 'default') for (const script of ['check', 'lint']) runs('npm', 'run', script)
    runs('npm', 'test')
  })

  test('its tests are green with a resource in it', () => {
    if (db === 'none') return expect(existsSync(join(project, 'src/database.ts'))).toBe(false)
    runs(process.execPath, sluice, 'g', 'resource', 'Post', 'title,body:text?')
    runs('npm', 'test')
  })

  test('migrates, builds and serves', async () => {
    if (db === 'postgres' || db === 'mysql') {
      if (!hasService(db)) return expect(hasService(db), `${db} is not there to be migrated`).toBe(false)
      const scratch = await createScratchDatabase(db)
      drop = scratch.drop
      writeFileSync(join(project, '.env'), `DATABASE_URL=${scratch.url}\n`)
    }
    if (db !== 'none') runs(process.execPath, sluice, 'db:migrate')
    runs('npm', 'run', 'build')
    const hasResource = db !== 'none' && template !== 'minimal'
    const server = await startServer(project, process.execPath, ['dist/server.js'], { PORT: '0' })
    await exercise(server, template, hasResource).finally(server.stop)
    const dev = await startServer(project, process.execPath, [sluice, 'dev', '--port', '0'])
    await exercise(dev, template, hasResource).finally(dev.stop)
  })
})
