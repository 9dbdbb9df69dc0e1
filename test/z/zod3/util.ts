export { ZodParsedType } from '../../../src/zod3.ts'

/** What zod's tests take from its helpers: types are compared by the compiler, and nothing happens when they run. */
export const util = {
  assertEqual: (value?: unknown): unknown => value,
  assertIs: (): void => undefined,
  assertNever: (): never => {
    throw new Error('never')
  },
  objectKeys: Object.keys,
  find: (list: unknown[], check: (item: unknown) => boolean): unknown => list.find(check),
}
