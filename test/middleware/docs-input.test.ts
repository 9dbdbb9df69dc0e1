import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
let folder: string

/** Each code block of the documents that starts with `// name.ts`, as that file. */
beforeAll(() => {
  mkdirSync(join(root, 'test/middleware/fixtures'), { recursive: true })
  folder = mkdtempSync(join(root, 'test/middleware/fixtures/docs-'))
  for (const name of ['body-parser', 'sanitizer', 'validator']) {
    const text = readFileSync(join(root, `docs/middleware/${name}.md`), 'utf8')
    for (const [, code = ''] of text.matchAll(/```ts\n([\s\S]*?)```/g)) {
      writeFileSync(join(folder, code.match(/^\/\/ (\S+)/)![1]!), code)
    }
  }
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

const post = (path: string, body: BodyInit, type?: string): Request =>
  new Request(`http://localhost${path}`, { method: 'POST', body, ...(type && { headers: { 'content-type': type } }) })

const upload = (): FormData => {
  const form = new FormData()
  form.append('a', '12')
  form.append('f', new File(['12345'], 'x.txt'))
  return form
}

const jsonType = 'application/json'
const missing = { path: ['age'], message: 'Required', code: 'invalid_type', expected: 'number', received: 'undefined' }

test.each<[string, Request, number, unknown]>([
  ['parse.ts', post('/', '{"a":1}', jsonType), 200, { a: 1 }],
  ['parse.ts', post('/', 'a=1&a=2', 'application/x-www-form-urlencoded'), 200, { a: ['1', '2'] }],
  ['options.ts', post('/', `"${'x'.repeat(18)}"`, jsonType), 200, 'x'.repeat(18)],
  ['options.ts', post('/', `"${'x'.repeat(19)}"`, jsonType), 413, { error: 'Content Too Large' }],
  ['options.ts', post('/', 'hello', 'text/plain'), 200, 'hello'],
  ['options.ts', post('/', 'x', 'image/png'), 415, { error: 'Unsupported Media Type' }],
  ['upload.ts', post('/', upload()), 200, { a: 2, 'x.txt': 5 }],
  [
    'clean.ts',
    post('/', JSON.stringify({ text: '<b onclick=x>1 < 2</b><script>x</script>' }), jsonType),
    200,
    { text: '<b>1 &lt; 2</b>' },
  ],
  ['strip.ts', new Request('http://localhost/?q=<i>Tom</i> %26 1 < 2'), 200, 'Tom & 1 < 2'],
  ['users.ts', post('/users', '{"name":"Ada","age":36}', jsonType), 201, { name: 'Ada', age: 36 }],
  ['users.ts', post('/users', '{"name":"Ada"}', jsonType), 422, { error: 'Validation failed', issues: [missing] }],
  ['users.ts', new Request('http://localhost/users'), 200, { page: 1 }],
  [
    'users.ts',
    new Request('http://localhost/users?page=x'),
    400,
    expect.objectContaining({ error: 'Invalid query parameters' }),
  ],
])('the example %s answers as the text says (%#)', async (file, request, status, expected) => {
  const { default: app } = await import(/* @vite-ignore */ join(folder, file))
  const response: Response = await app.fetch(request)
  const text = await response.text()
  const body = response.headers.get('content-type')?.startsWith('text/') ? text : JSON.parse(text)
  expect([response.status, body]).toEqual([status, expected])
})
