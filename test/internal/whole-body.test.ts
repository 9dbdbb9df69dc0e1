import { expect, test } from 'vitest'
import { hasLength } from '../../src/runtime/edge/whole-body.ts'

const request = (init: RequestInit, platform = {}): Request =>
  Object.assign(new Request('http://localhost/', { method: 'POST', body: 'x', ...init }), platform)

test.each<[string, Request, boolean]>([
  ['a request from the server of workerd', request({ redirect: 'manual' }, { cf: {} }), true],
  ['a request that the application has made', request({ redirect: 'follow' }, { cf: {} }), false],
  ['a request of another platform', request({ redirect: 'manual' }), false],
  [
    'a body that may have been decoded',
    request({ redirect: 'manual', headers: { 'content-encoding': 'gzip' } }, { cf: {} }),
    false,
  ],
])('the edge relies on the length of a body: %s', (_, given, expected) => {
  expect(hasLength(given)).toBe(expected)
})
