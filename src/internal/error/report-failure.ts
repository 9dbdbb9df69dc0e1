import { report } from '#runtime/core'

/** Do work whose failure is only reported, because it must not fail the request. */
export const reportFailure = async (work: () => unknown): Promise<void> => {
  try {
    await work()
  } catch (error) {
    report(error)
  }
}
