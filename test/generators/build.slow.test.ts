import { spawn, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { installSources } from './packaged.ts'
import { filesIn, runCommand } from './run-command.ts'
import { temporaryFolder } from './sandbox.ts'

let project = ''
const put = (path: string, text: string): void => {
  mkdirSync(join(project, path, '..'), { recursive: true })
  writeFileSync(join(project, path), text)
}
const build = (...words: string[]) => runCommand(project, ['build', ...words])

const SERVER = `import { createApp } from 'sluice'
import { apiReference, openapiRoute } from 'sluice/openapi'
import { sep } from 'path'
import legacy from 'legacy'
import typed from 'typed'
import { Task } from './schemas.ts'

export class Post {}
const app = createApp({
  onError: (error, ctx) => ctx.text(String((error as Error).stack), 500),
})
app.get('/', (ctx) => ctx.json({ class: Post.name, sep, legacy, typed, task: Task.safeParse({}).success }))
app.get('/late', async (ctx) => ctx.json((await import('./late.ts')).late))
app.get('/absent', async (ctx) => ctx.text(await import('absent').then(() => 'there', (error) => error.code)))
app.get('/throw', () => {
  throw new Error('on purpose')
})
openapiRoute('/openapi.json', { info: { title: 'shop', version: '1' } })(app)
apiReference()(app)
const server = await app.listen({ port: 0, hostname: '127.0.0.1' })
console.log(\`http://127.0.0.1:\${server.port}\`)
process.once('SIGTERM', () => void server.close())
`
/** What is said of the one package that is only asked for at run time. */
const NOT_INSTALLED = 'sluice: not in the file and not installed here, needed only by code that asks for them: absent\n'
const WORKER = `import { createWorker } from 'sluice/adapter/workers'
import { createApp } from 'sluice/tiny'
export default createWorker(createApp().get('/', (ctx) => ctx.text('hello')))
`

beforeAll(() => {
  project = temporaryFolder()
  put('package.json', '{ "name": "shop", "type": "module", "dependencies": { "sluice": "*" } }')
  installSources(project)
  for (const driver of ['pg', 'mysql2']) rmSync(join(project, 'node_modules', driver))
  // CommonJS, which asks for what is built in, and for a package with a file for those that ask so
  put('node_modules/legacy/package.json', '{ "name": "legacy", "main": "index.js" }')
  put('node_modules/legacy/index.js', "module.exports = typeof require('events').EventEmitter + require('dual')\n")
  put('node_modules/dual/package.json', '{ "name": "dual", "exports": { "import": "./m.mjs", "require": "./c.cjs" } }')
  put('node_modules/dual/m.mjs', "export default ' imported'\n")
  put('node_modules/dual/c.cjs', "module.exports = ' required'\n")
  // ES modules of a package with a type take the whole of a CommonJS module for its default export, as Node does
  put('node_modules/typed/package.json', '{ "name": "typed", "type": "module", "exports": "./index.js" }')
  put('node_modules/typed/index.js', "import whole from 'marked'\nexport default Object.keys(whole).join()\n")
  put('node_modules/marked/package.json', '{ "name": "marked" }')
  put('node_modules/marked/index.js', 'exports.__esModule = true\nexports.default = 1\nexports.named = 2\n')
  put('src/late.ts', "export const late = 'later'\n")
  put('src/schemas.ts', "import * as z from 'sluice/z'\nexport const Task = z.object({ title: z.string() })\n")
  put('src/server.ts', SERVER)
  put('src/worker.ts', WORKER)
})

describe('FX2: sluice build', () => {
  test('a single file in an empty folder serves requests on this runtime and ends on SIGTERM', async () => {
    const { code, out, err } = await build()
    expect({ code, err }).toEqual({ code: 0, err: NOT_INSTALLED })
    expect(out).toMatch(/^create +build\/server\.mjs$/m)
    expect(out).toMatch(/^sluice\/z +\d+ +\d+ +█+$/m)
    const alone = temporaryFolder()
    cpSync(join(project, 'build'), alone, { recursive: true })
    const child = spawn(process.execPath, ['--enable-source-maps', 'server.mjs'], {
      cwd: alone,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const ended = new Promise((resolve) => child.once('exit', (code, signal) => resolve({ code, signal })))
    const origin = await new Promise<string>((resolve, reject) => {
      child.stdout.once('data', (line) => resolve(String(line).trim()))
      child.once('exit', (status) => reject(new Error(`ended with ${status}`)))
    })
    const ask = async (path: string) => (await fetch(origin + path, { signal: AbortSignal.timeout(10_000) })).text()
    expect(JSON.parse(await ask('/'))).toEqual({
      class: 'Post',
      sep: '/',
      legacy: 'function required',
      typed: '__esModule,default,named',
      task: false,
    })
    expect(await ask('/late')).toBe('"later"')
    expect(await ask('/absent')).toBe('ERR_MODULE_NOT_FOUND')
    expect(await ask('/reference')).toContain('<html')
    expect(await ask('/throw')).toMatch(/server\.ts:\d+/)
    child.kill('SIGTERM')
    expect(await ended).toEqual({ code: 0, signal: null })
  })

  test('the source map leads to the line of the source', () => {
    const lines = readFileSync(join(project, 'build/server.mjs'), 'utf8').split('\n')
    const line = lines.findIndex((text) => text.includes('on purpose'))
    expect(lines.at(-2)).toBe('//# sourceMappingURL=server.mjs.map')
    const map = new SourceMap(JSON.parse(readFileSync(join(project, 'build/server.mjs.map'), 'utf8')))
    const entry = map.findEntry(line, lines[line]!.indexOf('on purpose')) as {
      originalSource: string
      originalLine: number
    }
    expect(entry.originalSource).toBe('../src/server.ts')
    expect(entry.originalLine).toBe(SERVER.split('\n').findIndex((text) => text.includes('on purpose')))
  })

  test('a second run gives the same bytes, and touches nothing but the folder', async () => {
    const before = filesIn(project)
    const { out } = await build()
    expect(out).toMatch(/^identical build\/server\.mjs$/m)
    expect(out).not.toMatch(/^(?:create|overwrite|update)/m)
    expect(filesIn(project)).toEqual(before)
    await build('--target', 'deno', '--out', 'made/deno')
    const added = Object.keys(filesIn(project)).filter((path) => !(path in before))
    expect(added.every((path) => path.startsWith('made/deno/'))).toBe(true)
  })

  test.each(['node', 'bun', 'deno'])('%s: what is built in has the name with node:', async (target) => {
    expect((await build('--target', target, '--out', `made/${target}`)).code).toBe(0)
    const text = readFileSync(join(project, `made/${target}/server.mjs`), 'utf8')
    expect(text).toMatch(/from "node:path"/)
    expect(text).not.toMatch(/from "(?:path|events|fs)"/)
  })

  test('workers: the edge build, without node:, and smaller when it is minified', async () => {
    expect(await build('--target', 'workers')).toMatchObject({ code: 0, err: '' })
    const plain = readFileSync(join(project, 'build/worker.mjs'), 'utf8')
    expect(plain).not.toMatch(/node:|createRequire/)
    expect((await build('--target', 'workers', '--minify')).out).toMatch(/^overwrite build\/worker\.mjs$/m)
    expect(readFileSync(join(project, 'build/worker.mjs'), 'utf8').length).toBeLessThan(plain.length * 0.7)
    const { default: worker } = await import(/* @vite-ignore */ join(project, 'build/worker.mjs'))
    expect(await (await worker.fetch(new Request('http://localhost/'), {}, {})).text()).toBe('hello')
  })

  test('workers: what needs a flag of the platform is said', async () => {
    put('src/flag.ts', "import legacy from 'legacy'\nexport default { fetch: () => new Response(legacy) }\n")
    const { code, err } = await build('src/flag.ts', '--target', 'workers')
    expect({ code, err }).toEqual({ code: 0, err: 'sluice: the flag nodejs_compat is needed for node:events\n' })
    // Vitest would give the module a `require`, which Workers do not have
    const script = "console.log(await (await import('./build/flag.mjs')).default.fetch().text())"
    const words = ['--input-type=module', '-e', script]
    expect(spawnSync(process.execPath, words, { cwd: project, encoding: 'utf8' }).stdout).toBe('function required\n')
  })

  test.each(['better-sqlite3', '@node-rs/argon2'])(
    '%s, which has a binary, stays an import, and is named',
    async (name) => {
      put(`node_modules/${name}/package.json`, JSON.stringify({ name, version: '1.0.0', main: 'index.js' }))
      put(`node_modules/${name}/index.js`, "module.exports = 'found ' + require('path').basename(__dirname)\n")
      put('src/native.ts', `import native from '${name}'\nconsole.log(native)\n`)
      expect(await build('src/native.ts', '--out', 'made/native')).toMatchObject({
        code: 0,
        err: `sluice: not in the file, install them where it runs: ${name}\n`,
      })
      const ran = spawnSync(process.execPath, ['made/native/native.mjs'], { cwd: project, encoding: 'utf8' })
      expect(ran).toMatchObject({ status: 0, stdout: `found ${name.replace('@node-rs/', '')}\n` })
    },
  )

  test.each([
    ['an absolute path', () => join(project, 'src/late.ts'), 'late.mjs'],
    ['a name with quotes and spaces', () => `src/it's "late".ts`, `it's "late".mjs`],
  ])('an entry with %s', async (_, entry, file) => {
    put(`src/it's "late".ts`, 'export const late = 1\n')
    expect(await build(entry(), '--out', `made/o'n "e"`)).toMatchObject({ code: 0, err: '' })
    expect(Object.keys(filesIn(join(project, `made/o'n "e"`)))).toContain(file)
  })

  test('paths of tsconfig.json, JSON and text are part of the file', async () => {
    put('tsconfig.json', '{ "compilerOptions": { "paths": { "@/*": ["./src/parts/*"] } } }')
    put('src/parts/value.ts', "export const value = 'by path'\n")
    put('src/parts/words.txt', 'words')
    put(
      'src/mixed.ts',
      `import { value } from '@/value'
import manifest from '../package.json' with { type: 'json' }
import words from './parts/words.txt'
console.log([value, manifest.name, words].join())
`,
    )
    expect(await build('src/mixed.ts', '--out', 'made/mixed')).toMatchObject({ code: 0, err: '' })
    rmSync(join(project, 'tsconfig.json'))
    const { stdout } = spawnSync(process.execPath, [join(project, 'made/mixed/mixed.mjs')], { encoding: 'utf8' })
    expect(stdout).toBe('by path,shop,words\n')
  })

  test('a warning of esbuild names the line', async () => {
    put('src/warned.ts', 'export const zero = (value: number) =>\n  value === -0\n')
    const { code, err } = await build('src/warned.ts', '--out', 'made/warned')
    expect({ code, err }).toEqual({
      code: 0,
      err: expect.stringMatching(/^sluice: src\/warned\.ts:2: Comparison with -0/),
    })
  })

  test('a folder in place of the source map is kept, and the outcome says so', async () => {
    await build('src/late.ts', '--out', 'made/folder')
    rmSync(join(project, 'made/folder/late.mjs.map'))
    mkdirSync(join(project, 'made/folder/late.mjs.map'))
    expect((await build('src/late.ts', '--out', 'made/folder')).code).toBe(1)
    const { code, out } = await build('src/late.ts', '--out', 'made/folder', '--json')
    expect({ code, ok: JSON.parse(out).ok }).toEqual({ code: 1, ok: false })
  })

  test('a script with #! is replaced by the next build, as any other', async () => {
    put('src/script.ts', "#!/usr/bin/env node\nconsole.log('one')\n")
    expect((await build('src/script.ts', '--out', 'made/script')).code).toBe(0)
    put('src/script.ts', "#!/usr/bin/env node\nconsole.log('two')\n")
    expect((await build('src/script.ts', '--out', 'made/script')).out).toMatch(/^overwrite made\/script\/script\.mjs$/m)
    expect(readFileSync(join(project, 'made/script/script.mjs'), 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/)
  })

  test('--json: files, bytes of each feature and packages that are not in the file', async () => {
    const { out } = await build('--json')
    const told = JSON.parse(out)
    expect(told).toMatchObject({ ok: true, entry: 'src/server.ts', target: 'node', imports: ['absent'], warnings: [] })
    expect(told.total.minified).toBe(readFileSync(join(project, 'build/server.mjs')).length)
    const sum = told.parts.reduce((bytes: number, part: { minified: number }) => bytes + part.minified, 0)
    expect(Math.abs(sum - told.total.minified)).toBeLessThan(told.parts.length)
  })
})

describe('FX2: what sluice build refuses, and nothing is written', () => {
  test.each([
    [
      'an unknown target',
      ['--target', 'workerd'],
      2,
      '--target must be one of node, bun, deno, workers, not "workerd". Did you mean "workers"?',
    ],
    ['an entry that is not there', ['src/none.ts'], 3, 'There is no src/none.ts'],
    ['a folder outside of the project', ['--out', '../away'], 2, '"../away/server.mjs.map" is outside of the project'],
    ['the project itself', ['--out', '.'], 2, '--out contains the source file '],
    ['an entry that is a folder', ['src'], 3, 'src is a folder: name the module in it'],
    ['a file in place of the folder', ['--out', 'package.json'], 1, 'package.json/server.mjs.map was not written'],
    ['a folder with sources', ['--out', 'src'], 2, '--out contains the source file src/'],
    ['a module that does not compile', ['src/broken.ts'], 1, 'src/broken.ts:1:'],
    ['an import of a package that is not there', ['src/missing.ts'], 1, 'Could not resolve "not-installed"'],
    [
      'a worker without a default export',
      ['src/late.ts', '--target', 'workers'],
      1,
      'export default createWorker(app)',
    ],
  ])('%s', async (_, words, code, message) => {
    put('src/broken.ts', 'export const = 1\n')
    put('src/missing.ts', "import 'not-installed'\n")
    const before = filesIn(project)
    expect(await build(...words)).toEqual({ code, out: '', err: expect.stringContaining(message) })
    expect(filesIn(project)).toEqual(before)
  })

  test('other files of the folder are kept', async () => {
    put('kept/public/index.html', '<h1>')
    expect((await build('src/late.ts', '--out', 'kept/public')).code).toBe(0)
    expect(Object.keys(filesIn(join(project, 'kept/public')))).toEqual(['index.html', 'late.mjs', 'late.mjs.map'])
  })

  test('the usual module, where the project has none', async () => {
    const other = temporaryFolder()
    writeFileSync(join(other, 'package.json'), '{ "dependencies": { "sluice": "*" } }')
    const run = (...words: string[]) => runCommand(other, ['build', ...words])
    expect(await run()).toMatchObject({
      code: 3,
      err: expect.stringContaining('There is no src/server.ts; name the entry module'),
    })
    expect(await run('--target', 'workers')).toMatchObject({
      code: 3,
      err: expect.stringContaining('There is no src/worker.ts'),
    })
    mkdirSync(join(other, 'src'))
    writeFileSync(join(other, 'src/server.ts'), '')
    expect(await run()).toMatchObject({ code: 3, err: expect.stringContaining('npm install --save-dev esbuild') })
    expect(existsSync(join(other, 'build'))).toBe(false)
  })
})
