import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { runCommand } from './run-command.ts'
import { linkPackages, temporaryFolder } from './sandbox.ts'

const APPLICATION = `import { createApp, validateQuery, z } from 'sluice'
import { describe } from 'sluice/openapi'

const fail = () => { throw new Error('it ran') }
export const app = createApp({ basePath: '/api' })
app.use('/admin/*', function guard() { return fail() })
app.use(function clock() { return fail() })
app.get('/users/:id', function audit() { return fail() }, function showUser() { return fail() })
app.post('/users', () => fail())
app.delete('/users/:id', describe({ summary: 'Remove a user' }), () => fail())
app.put('/users/:id', describe({ summary: 'Change a user' }), function change() { return fail() })
app.all('/any', function takeAll() { return fail() })
app.get('/admin/x', function admin() { return fail() })
const inner = createApp().use(function innerClock() { return fail() })
inner.get('/files/*path', function file() { return fail() })
inner.use('/files/secret/*', function innerGuard() { return fail() })
app.mount('/inner', inner)
app.group('/shop', (shop) => shop.use('/till', function till() { return fail() }).get('/:part', validateQuery(z.object({})), fail))
`

let root = ''
beforeAll(() => {
  root = temporaryFolder()
  linkPackages(root)
  mkdirSync(join(root, 'src'))
  writeFileSync(join(root, 'package.json'), '{"type":"module","dependencies":{"sluice":"*"}}')
  writeFileSync(join(root, 'src/app.ts'), APPLICATION)
})

const explain = (...words: string[]) => runCommand(root, ['routes', '--explain', ...words])

describe('P16: sluice routes --explain shows what a request runs, and runs none of it', () => {
  test.each<[string, string[], string]>([
    [
      'middleware, then that of the route, then the handler, then parameters',
      ['/api/users/7'],
      '  1  clock\n  2  audit\n  3  GET /api/users/:id showUser\n     id = "7"\n',
    ],
    ['a guard of its path', ['/api/admin/x'], '  1  guard\n  2  clock\n  3  GET /api/admin/x admin\n'],
    ['another method', ['/api/users', '--method', 'post'], '  1  clock\n  2  POST /api/users (anonymous)\n'],
    [
      'a handler without a name, by the summary of its description',
      ['/api/users/7', '--method', 'delete'],
      '  1  clock\n  2  describe\n  3  DELETE /api/users/:id Remove a user\n     id = "7"\n',
    ],
    [
      'HEAD, which GET responds to',
      ['/api/users/7', '--method', 'HEAD'],
      '  1  clock\n  2  audit\n  3  GET /api/users/:id showUser\n     id = "7"\n',
    ],
    ['a route for every method', ['/api/any', '--method=DELETE'], '  1  clock\n  2  * /api/any takeAll\n'],
    [
      'a query, which is not a part of the path',
      ['/api/users/7?x=1'],
      '  1  clock\n  2  audit\n  3  GET /api/users/:id showUser\n     id = "7"\n',
    ],
    [
      'control characters of a parameter as escapes',
      ['/api/users/%1B%5B2J'],
      '  1  clock\n  2  audit\n  3  GET /api/users/:id showUser\n     id = "\\u001b[2J"\n',
    ],
    [
      'a mounted application',
      ['/api/inner/files/a/b'],
      '  1  clock\n  2  innerClock\n  3  GET /api/inner/files/*path file\n     path = "a/b"\n',
    ],
    [
      'a guard of the mounted application, of the path',
      ['/api/inner/files/secret/b'],
      '  1  clock\n  2  innerClock\n  3  innerGuard /api/inner/files/secret/*\n  4  GET /api/inner/files/*path file\n     path = "secret/b"\n',
    ],
    [
      'a guard of a group, of another path, and the part that a validator reads',
      ['/api/shop/x'],
      '  1  clock\n  2  validator query\n  3  GET /api/shop/:part fail\n     part = "x"\n',
    ],
    [
      'a guard of a group, of the path',
      ['/api/shop/till'],
      '  1  clock\n  2  till /api/shop/till\n  3  validator query\n  4  GET /api/shop/:part fail\n     part = "till"\n',
    ],
  ])('%s', async (_, words, out) => {
    expect(await explain(...words)).toMatchObject({ code: 0, out })
  })

  test('sluice routes shows the paths of guards in groups and mounted applications, and the part of a validator', async () => {
    const { out } = await runCommand(root, ['routes'])
    expect(out).toContain('innerClock, innerGuard /inner/files/secret/*')
    expect(out).toContain('till /shop/till, validator query')
    expect(out).toMatch(/^DELETE +\/api\/users\/:id +Remove a user +/m)
    expect(out).toMatch(/^PUT +\/api\/users\/:id +change +/m)
    expect(out).toMatch(/^POST +\/api\/users +\(anonymous\) +/m)
  })

  test.each([
    ['a path without a route', ['/api/nothing']],
    ['another method than that of the route', ['/api/users/7', '--method', 'PATCH']],
    ['a path outside of the base path', ['/users/7']],
  ])('%s has the exit code 1', async (_, words) => {
    const { code, out } = await explain(...words)
    expect(code).toBe(1)
    expect(out).toContain('no route matches')
  })

  test('--json has the same for programs', async () => {
    const { out } = await explain('/api/users/7', '--json')
    expect(JSON.parse(out)).toEqual({
      method: 'GET',
      path: '/api/users/7',
      middleware: ['clock', 'audit'],
      route: 'GET /api/users/:id',
      handler: 'showUser',
      summary: '',
      params: { id: '7' },
    })
  })

  test.each<[string, string[], string]>([
    ['no path', ['--explain'], '--explain needs a value'],
    ['a path without a slash', ['--explain', 'users'], '--explain: expected a path such as /users/7, got "users"'],
    ['a URL', ['--explain', 'http://x.example/'], 'expected a path such as /users/7'],
    ['the path of another host', ['--explain', '//x.example/'], 'expected a path such as /users/7'],
    ['a method that is none', ['--explain', '/', '--method', 'GTE'], 'Did you mean "GET"?'],
    [
      'a method without a path',
      ['--method', 'GET'],
      '--method needs a path: sluice routes --explain /path --method GET',
    ],
  ])('%s is refused with exit code 2', async (_, words, message) => {
    const { code, err } = await runCommand(root, ['routes', ...words])
    expect(err).toContain(message)
    expect(code).toBe(2)
  })
})
