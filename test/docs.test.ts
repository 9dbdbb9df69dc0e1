import { expect, test } from 'vitest'
import { examples, run } from './docs-runner.ts'

const all = await examples()

test('the documentation has examples that run', () => {
  expect(all.length).toBeGreaterThan(5)
})

test.each(all.map((example) => [`${example.page}:${example.line}`, example] as const))(
  '%s prints what it says',
  async (_, { program, printed }) => {
    expect(await run(program)).toBe(printed)
  },
)
