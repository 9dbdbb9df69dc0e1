import { report } from '#runtime/core'

/**
 * Do something whose failure must not fail the request, such as noting in a store what is already done: it is reported.
 */
export const reportFailure = async (work: () => unknown): Promise<void> => {
  try {
    await work()
  } catch (error) {
    report(error)
  }
}
