import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { portHono } from '../../generators/migrate/hono.ts'
import { linkPackages, temporaryFolder } from '../generators/sandbox.ts'
import { type Asked, type Observed, observe, type Target, titleOf } from './compare.ts'

const asked: readonly Asked[] = [
  { path: '/users?page=2&tag=a&tag=b' },
  { path: '/users/7' },
  { path: '/users/caf%C3%A9' },
  { method: 'POST', path: '/users', body: { name: 'ann' } },
  { path: '/who/am' },
  { path: '/who/am', headers: { 'x-tenant': 't' } },
  { method: 'POST', path: '/echo', body: 'text' },
  { path: '/bytes' },
  { path: '/cookie' },
  { path: '/cookie', headers: { cookie: 'seen=once' } },
  { path: '/old' },
  { method: 'HEAD', path: '/users/7' },
]

/** Refusals are JSON here. What a middleware does after `await next()` is skipped if the handler throws. */
const refused = [
  ['/users/0', undefined],
  ['/users/1', undefined],
  ['/none', '1'],
] as const

const tools = join(import.meta.dirname, 'tools/node_modules')

/** `secureHeaders` and `helmet` send other headers. */
const relevant = ({ own, ...observed }: Observed) => ({ ...observed, timing: own['x-timing'] })

describe.skipIf(!existsSync(join(tools, 'hono')))('FX5: an application of Hono that sluice migrate moved', () => {
  let before: Target
  let after: Target
  beforeAll(async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const folder = temporaryFolder()
    linkPackages(folder)
    for (const name of ['hono', '@hono', 'zod']) symlinkSync(join(tools, name), join(folder, 'node_modules', name))
    mkdirSync(join(folder, 'src'))
    const source = readFileSync(join(import.meta.dirname, '../generators/documents/hono-app.txt'), 'utf8')
    writeFileSync(join(folder, 'src/before.ts'), source)
    writeFileSync(join(folder, 'src/after.ts'), portHono(ts, 'before.ts', source)!.text)
    before = (await import(/* @vite-ignore */ join(folder, 'src/before.ts'))).default
    after = (await import(/* @vite-ignore */ join(folder, 'src/after.ts'))).default
  })

  test.each(asked.map((one) => [titleOf(one), one] as const))('%s', async (_, one) =>
    expect(relevant(await observe(after, one))).toEqual(relevant(await observe(before, one))),
  )

  test.each(refused)('GET %s: 404 before and after, with other words', async (path, timing) => {
    expect(relevant(await observe(before, { path }))).toMatchObject({ status: 404, timing: '1' })
    expect(relevant(await observe(after, { path }))).toMatchObject({ status: 404, timing, type: 'application/json' })
  })

  test('no value of a query: undefined before, an empty list after the move, which the command says', async () => {
    expect((await observe(before, { path: '/users' })).body).toEqual({})
    expect((await observe(after, { path: '/users' })).body).toEqual({ tags: [] })
  })

  test('a body that does not match its schema: 400 before, 422 after the move', async () => {
    const one: Asked = { method: 'POST', path: '/users', body: {} }
    expect((await observe(before, one)).status).toBe(400)
    expect((await observe(after, one)).status).toBe(422)
  })
})
