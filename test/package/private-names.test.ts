import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const root = new URL('../../', import.meta.url)
const script = new URL('rollup.production.mjs', root).href
const { PRIVATE, compileForProduction } = await import(script)

test('no public signature has a property whose name the build for production shortens', () => {
  const report = readFileSync(new URL('test/package/api.report.md', root), 'utf8')
  // A member has a line or is between others; what begins with `~` is private by its name
  const isMember = (name: string): boolean =>
    new RegExp(`(?:^|[{;]) *(?:readonly |get )?${name}\\??[:(]`, 'm').test(report)
  expect(isMember('basePath')).toBe(true)
  expect(PRIVATE.filter(isMember)).toEqual([])
})

test('every module of the build for production shortens a name to the same one', async () => {
  const one = await compileForProduction('one.ts', "export const a = { plannedRoute: 1, '~passes': 2, body: 3 }")
  const other = await compileForProduction('other.ts', "export const b = (a) => [a.plannedRoute, a['~passes'], a.body]")
  const run = await import(`data:text/javascript,${encodeURIComponent(`${one}\n${other}\nexport const c = b(a)`)}`)
  expect(run.c).toEqual([1, 2, 3])
  expect(one).not.toContain('plannedRoute')
})
