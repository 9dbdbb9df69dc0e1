import { expect, test, vi } from 'vitest'
import { compileSchemas } from '../../src/z/plugin.ts'

/** What a bundler calls. */
interface Hooks {
  resolveId(this: { resolve: unknown }, source: string, importer: string, given: object): Promise<{ id: string }>
}

const resolveWith = async (include: RegExp, id: string): Promise<{ id: string; asked: unknown }> => {
  const resolve = vi.fn(async () => ({ id, external: false }))
  const { resolveId } = compileSchemas({ include }) as unknown as Hooks
  const found = await resolveId.call({ resolve }, './a.ts', '/app.ts', { isEntry: true })
  return { id: found.id, asked: resolve.mock.calls[0] }
}

test.each<[string, RegExp | undefined]>([
  ['none', undefined],
  ['a pattern', /schemas/],
])('compileSchemas takes for include: %s', (_, include) => {
  expect(compileSchemas(include && { include })).toMatchObject({ apply: 'build', enforce: 'pre' })
})

test.each<[string, unknown]>([
  ['a pattern with the flag g', /x/g],
  ['a pattern with the flag y', /x/y],
  ['an object that is no pattern', {}],
])('compileSchemas refuses for include: %s', (_, include) => {
  expect(() => compileSchemas({ include } as never)).toThrow(
    'compileSchemas: include: expected a pattern without the flags g and y',
  )
})

test('compileSchemas marks the modules that include names, and does not ask itself', async () => {
  const asked = ['./a.ts', '/app.ts', { isEntry: true, skipSelf: true }]
  const other = await resolveWith(/b\.ts$/, '/a.ts')
  expect(other).toEqual({ id: '/a.ts', asked })
  const included = await resolveWith(/a\.ts$/, '/a.ts')
  expect(included).toEqual({ id: expect.stringMatching(/^\/a\.ts.+/), asked })
})
