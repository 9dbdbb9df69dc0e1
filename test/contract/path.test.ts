import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pathOf, searchOf } from '#runtime/core'
import { anyText } from '../any-text.ts'

test.each([
  ['http://h', '/', ''],
  ['http://h/', '/', ''],
  ['http://h?a', '/', 'a'],
  ['http://h/a/b?c=d', '/a/b', 'c=d'],
  ['http://h/a?b?c', '/a', 'b?c'],
  ['http://h/a?', '/a', ''],
  ['http://h/a#b?c', '/a', ''],
  ['http://h/a?b#c?d', '/a', 'b'],
  ['https://h:81/a:b//c?d:/e', '/a:b//c', 'd:/e'],
])('path and query of %s are %j and %j', (url, path, search) => {
  const request = new Request(url)
  expect({ path: pathOf(request), search: searchOf(request) }).toEqual({ path, search })
})

test('path and query are those that URL finds', () => {
  fc.assert(
    fc.property(fc.domain(), fc.constantFrom('/', '?', '#'), anyText(), (host, mark, end) => {
      const url = `http://${host}${mark}${end}`
      const request = new Request(url)
      const { pathname, search } = new URL(url)
      expect({ path: pathOf(request), search: searchOf(request) }).toEqual({ path: pathname, search: search.slice(1) })
    }),
  )
})
