import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { expectValid } from '../openapi/validity.ts'
import { BIOME } from './generated-project.ts'
import { CHECKOUT, commandArguments, linkPackages, temporaryFolder } from './sandbox.ts'

let project = ''

const BIOME_BIN = join(CHECKOUT, 'node_modules/@biomejs/biome/bin/biome')

const APP = `import { createApp } from 'sluice'
import { openapiRoute } from 'sluice/openapi'

console.log('loaded')
export const app = createApp().get('/a', () => new Response('a'))
`

beforeAll(() => {
  project = temporaryFolder()
  mkdirSync(join(project, 'src'))
  writeFileSync(
    join(project, 'package.json'),
    '{ "name": "shop", "version": "2.1.0", "type": "module", "dependencies": { "sluice": "*" } }',
  )
  writeFileSync(join(project, 'biome.json'), BIOME)
  linkPackages(project)
})

const sluice = (...words: string[]) => {
  const { PATH, HOME, TMPDIR } = process.env
  const { status, stdout, stderr } = spawnSync(process.execPath, [...commandArguments, 'openapi', ...words], {
    cwd: project,
    encoding: 'utf8',
    env: { PATH, HOME, TMPDIR },
  })
  return { code: status, out: stdout, err: stderr }
}

const write = (more: string): void => writeFileSync(join(project, 'src/app.ts'), APP + more)

describe('OA9: sluice openapi', () => {
  test('prints the document, with the name of the project, and nothing else', async () => {
    write('')
    const { code, out } = sluice()
    expect(code).toBe(0)
    const document = JSON.parse(out)
    expect(document.info).toEqual({ title: 'shop', version: '2.1.0' })
    await expectValid(document)
  })

  test('writes, compares, and exits with 4 if they differ', () => {
    write(`import { describe } from 'sluice/openapi'
app.get('/c', describe({ tags: ['short', 'list'] }), () => new Response('c'))
openapiRoute('/openapi.json', { info: { title: 'Mine', version: '7' } })(app)
`)
    expect(sluice('--check', 'docs/openapi.json')).toMatchObject({
      code: 4,
      err: expect.stringContaining('does not exist'),
    })
    expect(sluice('--out', 'docs/openapi.json')).toMatchObject({ code: 0, out: 'Wrote docs/openapi.json\n' })
    const file = join(project, 'docs/openapi.json')
    const lint = spawnSync(process.execPath, [BIOME_BIN, 'check', 'docs'], { cwd: project, encoding: 'utf8' })
    expect(lint).toMatchObject({ status: 0, stderr: expect.stringContaining('No fixes applied') })
    const text = readFileSync(file, 'utf8')
    expect(JSON.parse(text)).toMatchObject({ info: { title: 'Mine', version: '7' }, paths: { '/a': {} } })
    // A formatter makes no difference
    writeFileSync(file, JSON.stringify(JSON.parse(text)))
    expect(sluice('--check', 'docs/openapi.json')).toMatchObject({ code: 0, out: 'openapi.json is up to date\n' })
    writeFileSync(file, text.replace('"/a"', '"/b"'))
    const { code, out, err } = sluice('--check', 'docs/openapi.json')
    expect(code).toBe(4)
    expect(out).toMatch(/^- .*"\/b"/m)
    expect(out).toMatch(/^\+ .*"\/a"/m)
    expect(err).toContain('openapi.json does not match the application')
  })

  test.each<[string, string, string[], number, string]>([
    ['both ways at once', '', ['--out', 'a', '--check', 'b'], 2, 'use one of them'],
    ['a folder that is a file', '', ['--out', 'package.json/x.json'], 1, 'cannot be written'],
    ['a module without an application', 'throw new Error("broken")\n', [], 1, 'broken'],
    [
      'a document that cannot be made',
      "import { named } from 'sluice/openapi'\nimport * as z from 'sluice/z'\nimport { validateBody } from 'sluice/middleware/validator'\napp.post('/b', validateBody(z.object({ a: z.bigint() })), () => new Response())\n",
      [],
      1,
      'openapi: POST /b: body: toJsonSchema: JSON Schema cannot express bigint() at "a"',
    ],
  ])('%s', (_, more, words, code, message) => {
    write(more)
    expect(sluice(...words)).toMatchObject({ code, err: expect.stringContaining(message) })
  })
})
