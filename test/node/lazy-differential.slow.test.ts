import fc from 'fast-check'
import { expect, test } from 'vitest'
import { observeBoth, story } from './lazy-operations.ts'

/** Rows that differ by decision are named in docs/runtime.md, and left out of the stories. */
test('P30: 100,000 stories on a helper’s response and on the platform’s show the same', {
  timeout: 600_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(story, async (one) => {
      const [ours, platform] = await observeBoth(one)
      expect(ours).toEqual(platform)
    }),
    { numRuns: 100_000 },
  )
})
