import { describe, expect, test } from 'vitest'
import { staticPaths } from '../../src/runtime/bun/static-paths.ts'

const served = (paths: readonly string[]) => ({
  ready: async () => {},
  close: async () => {},
  routes: () => paths.map((path) => ({ path })),
})

describe('staticPaths: what Bun looks out for', () => {
  test.each([
    ['the root', '/', true],
    ['a path of plain letters', '/users/me.json', true],
    ['a name that begins with a dot', '/.well-known/x', true],
    ['a parameter', '/users/:id', false],
    ['a wildcard', '/files/*', false],
    ['a slash at the end', '/users/', false],
    ['a segment of one dot, which URLs leave out', '/a/./b', false],
    ['a segment of two dots', '/a/..', false],
    ['an escape', '/a%20b', false],
    ['a letter that URLs escape', '/café', false],
    ['two slashes', '//a', false],
  ])('%s: %s', (_, path, expected) => {
    expect(staticPaths(served([path]))).toEqual(expected ? [path] : [])
  })

  test('a path with two methods is there once', () => {
    expect(staticPaths(served(['/a', '/a', '/b']))).toEqual(['/a', '/b'])
  })

  test('of many paths the first 32', () => {
    const paths = Array.from({ length: 40 }, (_, index) => `/p${index}`)
    expect(staticPaths(served(paths))).toEqual(paths.slice(0, 32))
  })

  test('an application that names no routes has none', () => {
    expect(staticPaths(undefined)).toEqual([])
  })
})
