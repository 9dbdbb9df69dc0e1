import { describe, expect, test } from 'vitest'
import { createApp } from '../../src/app.ts'
import { type MethodOverrideOptions, methodOverride } from '../../src/middleware/method-override.ts'
import { readForm } from '../../src/read/form.ts'
import { text } from '../../src/respond/text.ts'
import { doors } from '../harness.ts'

describe.each(doors)('MX8: methodOverride through %s', (_, door) => {
  const routes = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'LOCK'].map(
    (method) =>
      [method, '/:id', async (ctx: any) => text(`${method} ${ctx.method} ${ctx.params.id}`)] as [string, string, any],
  )
  const all = { form: '_method', header: 'x-http-method-override', query: '_method' }
  const ask = async (options: MethodOverrideOptions, init: RequestInit, path = '/7', use: any[] = []) => {
    const fetch = door({ use: [methodOverride(options), ...use], routes })
    const response = await fetch(new Request(`http://localhost${path}`, { method: 'POST', ...init }))
    return { status: response.status, body: await response.text() }
  }
  const form = (fields: Record<string, string>) => new URLSearchParams(fields)
  const multipart = (value: string | Blob) => {
    const data = new FormData()
    data.append('_method', value)
    return data
  }

  test.each<[string, MethodOverrideOptions, RequestInit, string, { status: number; body: string }]>([
    ['a form', all, { body: form({ _method: 'DELETE' }) }, '/7', { status: 200, body: 'DELETE DELETE 7' }],
    ['lower case', all, { body: form({ _method: 'put' }) }, '/7', { status: 200, body: 'PUT PUT 7' }],
    ['multipart', all, { body: multipart('PATCH') }, '/7', { status: 200, body: 'PATCH PATCH 7' }],
    ['a file is no method', all, { body: multipart(new Blob(['PATCH'])) }, '/7', { status: 200, body: 'POST POST 7' }],
    ['a field', all, { headers: { 'x-http-method-override': 'PUT' } }, '/7', { status: 200, body: 'PUT PUT 7' }],
    ['the query', all, {}, '/7?_method=DELETE', { status: 200, body: 'DELETE DELETE 7' }],
    ['POST itself', all, { headers: { 'x-http-method-override': 'POST' } }, '/7', { status: 200, body: 'POST POST 7' }],
    ['nothing', all, { body: form({ a: 'b' }) }, '/7', { status: 200, body: 'POST POST 7' }],
    ['a GET is never another method', all, { method: 'GET' }, '/7?_method=DELETE', { status: 200, body: 'GET GET 7' }],
    ['a PUT is never another method', all, { method: 'PUT' }, '/7?_method=DELETE', { status: 200, body: 'PUT PUT 7' }],
    ['a source that is not asked', { form: '_method' }, {}, '/7?_method=DELETE', { status: 200, body: 'POST POST 7' }],
    [
      'a field that is not asked',
      { query: 'm' },
      { headers: { 'x-http-method-override': 'PUT' } },
      '/7',
      { status: 200, body: 'POST POST 7' },
    ],
    [
      'a form in upper case, with a parameter',
      all,
      {
        body: '_method=PUT',
        headers: { 'content-type': 'APPLICATION/X-WWW-FORM-URLENCODED ; charset=utf-8' },
      },
      '/7',
      { status: 200, body: 'PUT PUT 7' },
    ],
    [
      'a type that only ends like a form',
      all,
      { body: '_method=PUT', headers: { 'content-type': 'x-application/x-www-form-urlencoded' } },
      '/7',
      { status: 200, body: 'POST POST 7' },
    ],
    [
      'a type that only begins like a form',
      all,
      { body: '_method=PUT', headers: { 'content-type': 'application/x-www-form-urlencoded-2' } },
      '/7',
      { status: 200, body: 'POST POST 7' },
    ],
    [
      'the header goes before the query',
      all,
      { headers: { 'x-http-method-override': 'PATCH' } },
      '/7?_method=DELETE',
      { status: 200, body: 'PATCH PATCH 7' },
    ],
    [
      'a body without a type',
      all,
      { body: new TextEncoder().encode('_method=PUT') },
      '/7',
      { status: 200, body: 'POST POST 7' },
    ],
    [
      'the header wins over the form, which is not read',
      all,
      {
        body: '_method=PUT%',
        headers: {
          'x-http-method-override': 'PATCH',
          'content-type': 'application/x-www-form-urlencoded',
          'content-length': '9999999',
        },
      },
      '/7',
      { status: 200, body: 'PATCH PATCH 7' },
    ],
    [
      'a form that is not asked, and not read',
      { query: 'm' },
      { body: 'x', headers: { 'content-type': 'multipart/form-data' } },
      '/7',
      { status: 200, body: 'POST POST 7' },
    ],
    [
      'a query that is not asked, named undefined',
      { form: 'm' },
      {},
      '/7?undefined=PUT',
      { status: 200, body: 'POST POST 7' },
    ],
    ['a further method', { query: 'm', methods: ['LOCK'] }, {}, '/7?m=LOCK', { status: 200, body: 'LOCK LOCK 7' }],
  ])('MX8: %s', async (_, options, init, path, expected) => {
    expect(await ask(options, init, path)).toEqual(expected)
  })

  test.each(['GET', 'HEAD', 'CONNECT', 'LOCK', '__proto__', 'constructor', 'a b'])(
    'MX8: %s is refused',
    async (name) => {
      const { status, body } = await ask(all, {}, `/7?_method=${name}`)
      expect({ status, body: JSON.parse(body) }).toEqual({
        status: 400,
        body: { error: 'Unsupported method override', supported: ['PUT', 'PATCH', 'DELETE'] },
      })
    },
  )

  test('MX8: guards of the path run once, and middleware behind sees the new method', async () => {
    const seen: string[] = []
    const note = (ctx: any, next: any) => {
      seen.push(ctx.method)
      return next()
    }
    expect(await ask(all, {}, '/7?_method=PUT', [['/:id', note], note])).toEqual({ status: 200, body: 'PUT PUT 7' })
    expect(seen).toEqual(['PUT', 'PUT'])
  })

  test('MX8: a method without a route is not found', async () => {
    const fetch = door({ use: [methodOverride(all)], routes: [['POST', '/', () => text('x')]] })
    expect((await fetch(new Request('http://localhost/?_method=PUT', { method: 'POST' }))).status).toBe(404)
  })

  test('MX8: the form can still be read', async () => {
    const fetch = door({
      use: [methodOverride(all)],
      routes: [['PUT', '/', async (ctx) => text(`${(await readForm(ctx)).get('a')}`)]],
    })
    const body = form({ _method: 'PUT', a: 'b' })
    expect(await (await fetch(new Request('http://localhost/', { method: 'POST', body }))).text()).toBe('b')
  })
})

test('MX8: it works in front of a mounted application, and is refused inside of one', async () => {
  const routes = () => createApp().put('/x', (ctx) => ctx.text('put'))
  const inner = createApp()
    .use(methodOverride({ query: 'm' }))
    .mount('/', routes())
  const ask = async (app: { request: typeof inner.request }) =>
    (await app.request('/in/x?m=PUT', { method: 'POST' })).status
  const outer = createApp()
    .use(methodOverride({ query: 'm' }))
    .mount('/in', routes())
  expect(await ask(outer)).toBe(200)
  expect(() => createApp().mount('/in', inner)).toThrow(
    'mount: expected middleware without prepare(): put it in front with use(), got "methodOverride"',
  )
})

test('MX8: methods whose names only begin or end like a safe one are accepted', () => {
  expect(() => methodOverride({ form: 'm', methods: ['GETX', 'XHEAD', 'LOCK'] })).not.toThrow()
})

test.each<[string, any, RegExp]>([
  ['nothing to read', {}, /^methodOverride: form: expected the name of a field, or header, or query, got undefined$/],
  ['a field name', { header: 'a b' }, /^methodOverride: header: expected a field name/],
  ['GET', { form: 'm', methods: ['GET'] }, /^methodOverride: methods: expected methods that change something/],
  ...['put', 'X Y', '', 'PUTs', 'HEAD', 'OPTIONS', 'TRACE', 'CONNECT'].map((method): [string, any, RegExp] => [
    `the method "${method}"`,
    { form: 'm', methods: [method] },
    /^methodOverride: methods: expected methods/,
  ]),
  ['one of several methods', { form: 'm', methods: ['PUT', 'GET'] }, /^methodOverride: methods: expected methods/],
  ['a text in place of a list', { form: 'm', methods: 'PUT' }, /^methodOverride: methods: expected methods/],
  ...['form', 'header', 'query'].map((name): [string, any, RegExp] => [
    `a ${name} that is no text`,
    { form: 'm', [name]: true },
    new RegExp(`^methodOverride: ${name}: expected a string, got true$`),
  ]),
  ['an unknown option', { from: 'm' }, /^methodOverride: from: unknown option, did you mean "form"/],
])('MX8: refuses %s', (_, options, message) => {
  expect(() => methodOverride(options)).toThrow(message)
})
