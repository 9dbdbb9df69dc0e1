import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { app } from './hosts/app.ts'
import { runOnFastly } from './hosts/fastly-host.ts'
import { questions } from './hosts/questions.ts'

const here = fileURLToPath(new URL('.', import.meta.url))
const compiler = join(here, 'fastly-tools/node_modules/@fastly/js-compute/dist/cli/js-compute-runtime-cli.js')

const PROGRAM = `import { toFastly } from '../../../src/adapter/fastly.ts'
import * as z from '../../../src/z.ts'
import { app } from './app.ts'
app.get('/url', (ctx) => ctx.json(z.string().url().safeParse(ctx.query.get('of')).success))
addEventListener('fetch', toFastly(app))`

/** The runtime's own parser of forms turns a file into the digits of its bytes. That of `bodyParser` reads it well. */
const BROKEN_THERE = 'a form with a file'

describe.skipIf(!existsSync(compiler))("OP5: in Fastly's runtime", () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-fastly-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  let program: WebAssembly.Module
  beforeAll(async () => {
    const [script, compiled] = [join(folder, 'app.js'), join(folder, 'app.wasm')]
    await build({
      stdin: { contents: PROGRAM, resolveDir: join(here, 'hosts') },
      outfile: script,
      bundle: true,
      format: 'esm',
      platform: 'neutral',
      conditions: ['sluice-source', 'fastly', 'edge-light'],
      logLevel: 'error',
    })
    const { status, stderr } = spawnSync(process.execPath, [compiler, script, compiled], {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, NODE_OPTIONS: '' },
    })
    expect(status, stderr).toBe(0)
    program = await WebAssembly.compile(readFileSync(compiled))
  }, 180_000)

  const ask = (request: Request): Promise<Response> =>
    runOnFastly(program, request, { client: '192.0.2.7', server: '192.0.2.80' })
  const fieldsOf = ({ headers }: Response) =>
    [...headers].map(([name, value]) => [
      name,
      name === 'content-type' ? value.toLowerCase().replace('; ', ';') : value,
    ])

  test.each(questions.filter(([name]) => name !== BROKEN_THERE))(
    'OP5: %s is answered as the application answers',
    async (_, request) => {
      const expected = await app.fetch(request())
      const got = await ask(request())
      expect({ status: got.status, fields: fieldsOf(got) }).toEqual({
        status: expected.status,
        fields: fieldsOf(expected),
      })
      const [bytes, wanted] = await Promise.all(
        [got, expected].map(async (one) => Buffer.from(await one.arrayBuffer())),
      )
      expect(bytes!.equals(wanted!), `${bytes!.subarray(0, 200)}`).toBe(true)
    },
  )

  test('OP5: the address of the client is that of the platform', async () => {
    expect(await (await ask(new Request('https://h.example/address'))).text()).toBe('192.0.2.7')
  })

  test.each([
    ['https://a.example/', true],
    ['https://', false],
  ])('OP5: z tells there whether %s is a URL, too', async (url, expected) => {
    const response = await ask(new Request(`https://h.example/url?of=${encodeURIComponent(url)}`))
    expect(await response.json()).toBe(expected)
  })

  test('OP5: a request with work of waitUntil is answered', async () => {
    expect(await (await ask(new Request('https://h.example/later'))).text()).toBe('answer')
  })
})
