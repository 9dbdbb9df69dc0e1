import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { basename, join } from 'node:path'
import { build as esbuild, transform } from 'esbuild'
import { rollup } from 'rollup'
import { beforeAll, describe, expect, test } from 'vitest'
import { compileSchemas, compileSchemasEsbuild } from '../../src/z/plugin.ts'
import { BIOME } from './generated-project.ts'
import { CHECKOUT, commandArguments, linkPackages, temporaryFolder } from './sandbox.ts'

let project = ''

const SCHEMAS = `import * as z from 'sluice/z'

console.log('loaded')
export const User = z
  .object({ name: z.string().min(1), email: z.string().email().transform((text) => text.toLowerCase()) })
  .strict()
export const Tags = z.array(z.string())
export const Odd = z.lazy(() => Tags)
export const limit = 3
export default User
`

/** Prints what a schema says to a value that fits and one that does not, and whether it is compiled. */
const APP = `import * as schemas from './schemas.ts'
const { User, Tags } = schemas
const values = [{ name: 'a', email: 'A@x.io' }, { name: '', email: 5, more: 1 }, null]
console.log(JSON.stringify({
  keys: Object.keys(schemas).sort(),
  compiled: [User, Tags].map(({ run }) => /[(]v, ?issues[)]/.test(String(run))),
  results: values.map((value) => User.safeParse(value)).map(({ data, error }) => data ?? error.issues),
  caught: Tags.safeParse(['a', 1]).error.issues[0].path,
}))
`

const RESULTS = [
  { name: 'a', email: 'a@x.io' },
  [
    expect.objectContaining({ code: 'too_small', path: ['name'] }),
    expect.objectContaining({ code: 'invalid_type', path: ['email'] }),
    expect.objectContaining({ code: 'unrecognized_keys', keys: ['more'] }),
  ],
  [expect.objectContaining({ code: 'invalid_type', received: 'null' })],
]

const KEYS = ['Odd', 'Tags', 'User', 'default', 'limit']

/** The line of `export const User`, from 0. */
const USER_LINE = SCHEMAS.split('\n').findIndex((line) => line.startsWith('export const User'))

beforeAll(() => {
  project = temporaryFolder()
  writeFileSync(
    join(project, 'package.json'),
    '{ "name": "shop", "type": "module", "dependencies": { "sluice": "*" } }',
  )
  writeFileSync(join(project, 'biome.json'), BIOME)
  linkPackages(project)
  writeFileSync(join(project, 'schemas.ts'), SCHEMAS)
  writeFileSync(join(project, 'app.ts'), APP)
})

const { PATH, HOME, TMPDIR } = process.env
const node = (...words: readonly string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, words, {
    cwd: project,
    encoding: 'utf8',
    env: { PATH, HOME, TMPDIR },
  })
  return { code: status, out: stdout, err: stderr }
}
const sluice = (...words: string[]) => node(...commandArguments, 'compile', ...words)

/** Run a bundle without `eval`. */
const runBundle = (file: string): unknown => {
  const { out, err } = node('--disallow-code-generation-from-strings', file)
  return JSON.parse(out.split('\n').at(-2) ?? err)
}

/** Where the code for the field `name` comes from, by the source map. */
const originOf = (code: string, map: string): { source: string; line: number } => {
  const line = code.split('\n').findIndex((text) => /["[.]name\b.*/.test(text) && /const v\d+ = v/.test(text))
  const entry = new SourceMap(JSON.parse(map)).findEntry(line, 4) as { originalSource: string; originalLine: number }
  return { source: basename(entry.originalSource), line: entry.originalLine }
}

describe('FX4: sluice compile', () => {
  test('writes a module that exports the same, and says how many schemas it compiled', () => {
    const { code, out, err } = sluice('schemas.ts')
    expect({ code, out, err }).toEqual({
      code: 0,
      out: 'Wrote schemas.compiled.ts: 2 of 3 schemas compiled\n',
      err: 'loaded\n',
    })
    const text = readFileSync(join(project, 'schemas.compiled.ts'), 'utf8')
    expect(text).not.toMatch(/\beval\b|\bFunction\b/)
    writeFileSync(join(project, 'run.ts'), APP.replace('./schemas.ts', './schemas.compiled.ts'))
    const run = node('--disallow-code-generation-from-strings', ...commandArguments.slice(0, 3), 'run.ts')
    expect(JSON.parse(run.out.split('\n').at(-2) ?? run.err)).toEqual({
      keys: KEYS,
      compiled: [true, true],
      results: RESULTS,
      caught: [1],
    })
  })

  test('as JavaScript it has a source map to the line of the schema', () => {
    expect(sluice('schemas.ts', '--out', 'made/schemas.js')).toMatchObject({ code: 0 })
    const code = readFileSync(join(project, 'made/schemas.js'), 'utf8')
    expect(code).toContain('from "../schemas.ts"')
    expect(originOf(code, readFileSync(join(project, 'made/schemas.js.map'), 'utf8'))).toEqual({
      source: 'schemas.ts',
      line: USER_LINE,
    })
  })

  test('a formatter and a linter leave what was written as it is', () => {
    const [module, script] = ['schemas.compiled.ts', 'made/schemas.js']
    sluice('schemas.ts')
    sluice('schemas.ts', '--out', script)
    const biome = join(CHECKOUT, 'node_modules/@biomejs/biome/bin/biome')
    expect(node(biome, 'check', '--write', '--error-on-warnings', module, script)).toMatchObject({ code: 0 })
    expect(sluice('schemas.ts', '--check')).toMatchObject({ code: 0 })
    expect(sluice('schemas.ts', '--out', script, '--check')).toMatchObject({ code: 0 })
  })

  test('--report says what is left to the interpreter, and why', () => {
    expect(sluice('schemas.ts', '--report').out.split('\n')).toEqual([
      'Odd            lazy    interpreted:',
      '  (itself)             lazy',
      'Tags           array   compiled',
      'User, default  object  compiled, but for:',
      '  email                transform',
      '',
    ])
    expect(JSON.parse(sluice('schemas.ts', '--report', '--json').out).schemas).toMatchObject([
      { names: ['Odd'], state: 'interpreted' },
      { names: ['Tags'], state: 'whole' },
      { names: ['User', 'default'], state: 'part', fallbacks: [{ path: 'email', reason: 'transform' }] },
    ])
  })

  test('--check exits with 4 if the file is not up to date', () => {
    sluice('schemas.ts')
    expect(sluice('schemas.ts', '--check')).toMatchObject({ code: 0, out: 'schemas.compiled.ts is up to date\n' })
    writeFileSync(join(project, 'schemas.ts'), SCHEMAS.replace('min(1)', 'min(2)'))
    expect(sluice('schemas.ts', '--check')).toMatchObject({
      code: 4,
      err: expect.stringContaining('sluice compile schemas.ts'),
    })
    writeFileSync(join(project, 'schemas.ts'), SCHEMAS)
  })

  test.each([
    ['no module', ['none.ts'], 3, 'There is no none.ts'],
    ['the module itself as --out', ['schemas.ts', '--out', 'schemas.ts'], 2, 'another file'],
    ['a module that throws', ['broken.ts'], 1, 'threw when it was imported: no'],
    ['an import without its extension', ['short.js'], 1, "tsx, and set NODE_OPTIONS='--import tsx'"],
  ])('%s is refused', (_, words, code, message) => {
    writeFileSync(join(project, 'broken.ts'), "throw new Error('no')\n")
    writeFileSync(join(project, 'short.js'), "import './helper'\n")
    expect(sluice(...words)).toMatchObject({ code, err: expect.stringContaining(message) })
  })
})

describe('FX4: plug-ins', () => {
  const command = [process.execPath, ...commandArguments]
  const sources = { find: /^sluice\/(.+)$/, replacement: `${CHECKOUT}/src/$1.ts` }
  /** Rollup alone knows neither packages nor TypeScript. */
  const typescript = {
    name: 'typescript',
    resolveId: (id: string) =>
      id === '#mode'
        ? new URL('../../src/mode/development.ts', import.meta.url).pathname
        : sources.find.test(id)
          ? id.replace(sources.find, sources.replacement)
          : null,
    transform: async (code: string, id: string) =>
      id.endsWith('.ts') ? await transform(code, { loader: 'ts', target: 'es2022', sourcemap: true }) : null,
  }
  const expected = { keys: KEYS, compiled: [true, true], results: RESULTS, caught: [1] }

  test('Rollup: a bundle of compiled schemas, with the lines of their source', async () => {
    const bundle = await rollup({ input: join(project, 'app.ts'), plugins: [compileSchemas({ command }), typescript] })
    const { output } = await bundle.write({ file: join(project, 'rollup.mjs'), sourcemap: true })
    expect(runBundle('rollup.mjs')).toEqual(expected)
    expect(originOf(output[0].code, JSON.stringify(output[0].map))).toEqual({ source: 'schemas.ts', line: USER_LINE })
  })

  test('Vite: the same, with its own TypeScript', async () => {
    const { build } = await import('vite')
    await build({
      root: project,
      logLevel: 'silent',
      configFile: false,
      resolve: { alias: [sources], conditions: ['sluice-source'] },
      plugins: [compileSchemas({ command })],
      build: { ssr: 'app.ts', outDir: 'vite', minify: false },
      ssr: { noExternal: true },
    })
    expect(runBundle('vite/app.js')).toEqual(expected)
  })

  test('esbuild: the same', async () => {
    await esbuild({
      entryPoints: [join(project, 'app.ts')],
      outfile: join(project, 'esbuild.mjs'),
      bundle: true,
      format: 'esm',
      conditions: ['sluice-source'],
      sourcemap: true,
      plugins: [compileSchemasEsbuild({ command })],
    })
    expect(runBundle('esbuild.mjs')).toEqual(expected)
    const code = readFileSync(join(project, 'esbuild.mjs'), 'utf8')
    expect(originOf(code, readFileSync(join(project, 'esbuild.mjs.map'), 'utf8'))).toEqual({
      source: 'schemas.ts',
      line: USER_LINE,
    })
  })

  test('a module that is not included stays as it is', async () => {
    const bundle = await rollup({
      input: join(project, 'app.ts'),
      plugins: [compileSchemas({ command, include: /other\.ts$/ }), typescript],
    })
    await bundle.write({ file: join(project, 'plain.mjs') })
    expect(runBundle('plain.mjs')).toEqual({ ...expected, compiled: [false, false] })
  })

  test('a module without schemas passes, and packages are not looked at', async () => {
    const bare = join(project, 'bare.schema.ts')
    writeFileSync(bare, 'export const limit = 1\nexport default 2\n')
    const bundle = await rollup({ input: bare, plugins: [compileSchemas({ command }), typescript] })
    expect((await bundle.generate({})).output[0].exports).toEqual(['default', 'limit'])
    const found = { id: 'C:\\shop\\node_modules\\sluice\\dist\\z\\schema.js' }
    expect(
      await compileSchemas().resolveId.call({ resolve: async () => found, addWatchFile: () => {} }, 'x', 'y', {}),
    ).toBe(found)
  })

  test('a schema module that cannot be imported fails the build, and says why', async () => {
    writeFileSync(join(project, 'schema.ts'), "throw new Error('no database here')\n")
    const input = join(project, 'schema.ts')
    await expect(rollup({ input, plugins: [compileSchemas({ command }), typescript] })).rejects.toThrow(
      /compileSchemas: .*no database here/s,
    )
  })

  test('a schema module that throws is watched, so that the next build starts when it is mended', async () => {
    const file = join(project, 'schema.ts')
    writeFileSync(file, "throw new Error('no database here')\n")
    const watched = await rollup({ input: file, plugins: [compileSchemas({ command }), typescript] }).catch(
      (error) => error.watchFiles,
    )
    expect(watched).toContain(file)
    const built = esbuild({
      entryPoints: [file],
      bundle: true,
      write: false,
      logLevel: 'silent',
      plugins: [compileSchemasEsbuild({ command })],
    })
    await expect(built).rejects.toMatchObject({
      errors: [{ pluginName: 'sluice-compile-schemas', text: expect.stringContaining('no database here') }],
    })
  })

  test.each([
    [{ includes: /x/ }, 'compileSchemas: includes: unknown option, did you mean "include"?'],
    [{ include: 'src' }, 'compileSchemas: include: expected an object, got "src"'],
    [{ include: /x/g }, 'compileSchemas: include: expected a pattern without the flags g and y'],
  ])('%j is refused', (options, message) => {
    expect(() => compileSchemas(options as never)).toThrow(message)
  })
})
