import { report } from '#runtime/core'
import { checkOption } from '../options/check.ts'
import { isPromise } from './awaitable.ts'

/** For values that are needed at once. A promise's own error is reported, so that it does not end the process. */
export const checkNoPromise = (value: unknown, name: string, expected: string): void => {
  if (!isPromise(value)) return
  value.then(undefined, report)
  checkOption(false, name, expected, 'a promise')
}
