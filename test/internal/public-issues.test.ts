import { describe, expect, test } from 'vitest'
import type { Issue } from '../../src/errors/validation-error.ts'
import { publicIssues } from '../../src/internal/schema/public-issues.ts'

describe('issues in an answer', () => {
  const issue = (more: object): Issue => ({ code: 'custom', path: ['a'], message: 'no', ...more }) as Issue

  test.each([
    ['path, message and code stay', issue({}), { path: ['a'], message: 'no', code: 'custom' }],
    [
      'the type received stays',
      issue({ code: 'invalid_type', expected: 'string', received: 'number' }),
      { path: ['a'], message: 'no', code: 'invalid_type', expected: 'string', received: 'number' },
    ],
    [
      'a literal received does not',
      issue({ code: 'invalid_literal', expected: 'x', received: 'secret' }),
      { path: ['a'], message: 'no', code: 'invalid_literal', expected: 'x' },
    ],
    [
      'nor does what another library adds',
      issue({ input: 'secret', received: '"secret"' }),
      { path: ['a'], message: 'no', code: 'custom' },
    ],
  ])('MV9: %s', (_, given, expected) => {
    expect(publicIssues([given])).toEqual([expected])
  })

  test('at most 100 leave, so that a large body makes no larger answer', () => {
    expect(publicIssues(Array.from({ length: 100 }, () => issue({})))).toHaveLength(100)
    expect(publicIssues(Array.from({ length: 100_000 }, () => issue({})))).toHaveLength(100)
  })
})
