import { expect, test } from 'vitest'
import { type Asked, observe, titleOf, withoutWords } from './compare.ts'

/** What is asked of an application, before and after it was moved. */
interface Questions {
  /** Answered the same. */
  readonly asked: readonly Asked[]
  /** Answered the same, in other words. */
  readonly wordsDiffer: readonly Asked[]
  /** Method, path, and the status before and after, which docs/migrating.md names as different. */
  readonly differs: readonly (readonly [method: string, path: string, before: number, after: number])[]
}

/** The tests of a moved application. @param origins where both listen, once they do */
export const testMoved = (
  { asked, wordsDiffer, differs }: Questions,
  origins: () => { readonly before: string; readonly after: string },
): void => {
  test.each(asked.map((one) => [titleOf(one), one] as const))('%s', async (_, one) => {
    const { before, after } = origins()
    expect(await observe(after, one)).toEqual(await observe(before, one))
  })

  test.each(wordsDiffer.map((one) => [titleOf(one), one] as const))('%s, in other words', async (_, one) => {
    const { before, after } = origins()
    const [here, there] = [await observe(after, one), await observe(before, one)]
    expect(withoutWords(here)).toEqual(withoutWords(there))
    expect(here.body).not.toEqual(there.body)
  })

  test.each(differs)('%s %s: %i before, %i after the move', async (method, path, status, moved) => {
    const { before, after } = origins()
    expect((await observe(before, { method, path })).status).toBe(status)
    expect((await observe(after, { method, path })).status).toBe(moved)
  })
}
