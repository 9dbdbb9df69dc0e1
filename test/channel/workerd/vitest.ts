/** Stands for `vitest` inside workerd: it collects tests, and its `expect` is that of Vitest. */
import { JestChaiExpect } from '@vitest/expect'
import * as chai from 'chai'

chai.use(JestChaiExpect)
export const { expect } = chai

type Body = (...row: any[]) => unknown // any: rows of any table

const tests: [string, () => unknown][] = []
const before: (() => unknown)[] = []
const after: (() => unknown)[] = []

export const test = (title: string, body: Body): void => void tests.push([title, body])
test.each =
  (rows: unknown[]) =>
  (title: string, body: Body): void => {
    for (const row of rows) {
      const values = Array.isArray(row) ? row : [row]
      tests.push([`${title} ${JSON.stringify(values[0]).slice(0, 40)}`, () => body(...values)])
    }
  }
export const beforeAll = (work: () => unknown): void => void before.push(work)
export const afterAll = (work: () => unknown): void => void after.push(work)

/** Run what was collected. @returns what became of each test: nothing, or why it failed */
export const runTests = async (): Promise<[string, string][]> => {
  const outcome: [string, string][] = []
  for (const work of before) await work()
  for (const [title, body] of tests) {
    const failure = await Promise.resolve()
      .then(body)
      .then(
        () => '',
        (error) => `${error}`,
      )
    outcome.push([title, failure])
  }
  for (const work of after) await work()
  return outcome
}
