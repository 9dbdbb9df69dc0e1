import { describe, expect, test } from 'vitest'
import { text } from '../../src/respond/text.ts'
import { doors } from '../harness.ts'

const guard = (): Response => text('stop', 401)

describe.each(doors)('F11 a guard sees what the handler sees, %s', (_, door) => {
  test.each([
    ['/files/secret/*', '/files/:name', '/files/secret%2Fx'],
    ['/files/secret/*', '/files/:name', '/files/secret%2fx'],
    ['/files/secret/*', '/files/:name', '/files/%73ecret%2Fx'],
    ['/files/secret/*', '/files/*path', '/files/%73ecret/x'],
    ['/files/secret/*', '/files/*path', '/files/secret%2Fx'],
    ['/files/secret', '/files/:name', '/files/%73ecret'],
    ['/files/:id/secret', '/files/:id/:part', '/files/a%2Fb/secret'],
    ['/files/:id/secret', '/files/*path', '/files/a%2Fb/secret'],
    ['/a b/*', '/*path', '/a%20b/c'],
    ['/é/*', '/*path', '/%C3%A9/x'],
  ])('the guard of %s stands before the route %s for %s', async (guarded, route, path) => {
    const fetch = door({ use: [[guarded, guard]], routes: [['GET', route, () => text('SECRET')]] })
    expect((await fetch(path)).status).toBe(401)
  })

  test.each([
    ['/files/secret/*', '/files/:name', '/files/public'],
    ['/files/secret/*', '/files/:name', '/files/secrets'],
    ['/files/secret/*', '/files/:name', '/files/secret%252Fx'],
  ])('the guard of %s leaves the route %s open for %s', async (guarded, route, path) => {
    const fetch = door({ use: [[guarded, guard]], routes: [['GET', route, () => text('open')]] })
    expect((await fetch(path)).status).toBe(200)
  })
})
