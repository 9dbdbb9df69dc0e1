import { describe, expect, test } from 'vitest'
import { bodyParser } from '../../src/middleware/body-parser.ts'
import { sanitizer } from '../../src/middleware/sanitizer.ts'
import { json } from '../../src/respond/json.ts'
import { doors } from '../harness.ts'

describe.each(doors)('F20: keys that clients send are cleaned as values are, through %s', (_, door) => {
  const fetch = door({
    use: [bodyParser(), sanitizer()],
    routes: [['POST', '/', (ctx) => json({ body: ctx.state.body, query: [...ctx.query] })]],
  })
  const ask = async (body: string, query = '', type = 'application/json'): Promise<any> =>
    (
      await fetch(new Request(`http://localhost/${query}`, { method: 'POST', body, headers: { 'content-type': type } }))
    ).json()

  test.each<[string, string, unknown]>([
    ['a tag', '{"<script>x</script>a":"b"}', { a: 'b' }],
    ['a tag in a nested record', '{"a":[{"<img src=x onerror=alert(1)>b":1}]}', { a: [{ b: 1 }] }],
    ['signs of HTML', '{"a\\"<b":1}', { 'a&quot;': 1 }],
    ['two keys that become equal', '{"<i>a":1,"a":2}', { a: 2 }],
    ['a key that becomes __proto__', '{"__pro<i>to__":{"admin":true},"a":1}', { a: 1 }],
  ])('%s in JSON', async (_, body, expected) => {
    expect((await ask(body)).body).toEqual(expected)
  })

  test('names in a form and in the query', async () => {
    const { body, query } = await ask(
      '%3Cb%3Ea=1',
      '?%3Cscript%3Ex%3C/script%3Eq=%3Ci%3E2',
      'application/x-www-form-urlencoded',
    )
    expect({ body, query }).toEqual({ body: { a: '1' }, query: [['q', '2']] })
  })
})
