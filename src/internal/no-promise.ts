import { isPromise } from './awaitable.ts'
import { report } from './error/report.ts'
import { checkOption } from './options.ts'

/** Refuse a promise where a value is needed at once. Its own error is reported, so that it does not end the process. */
export const checkNoPromise = (value: unknown, name: string, expected: string): void => {
  if (!isPromise(value)) return
  value.then(undefined, report)
  checkOption(false, name, expected, 'a promise')
}
