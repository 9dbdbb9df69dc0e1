import { report } from '../../internal/error/report.ts'

/** How long something else of the program may keep a process that is to end, in milliseconds. */
const LINGER_MS = 1000

/** End this process after a close: when nothing keeps it, or a second later. A close that fails makes its exit code 1. */
export const endSoon = async (closed: Promise<void>): Promise<void> => {
  await closed.catch((error) => {
    report(error)
    process.exitCode = 1
  })
  setTimeout(() => process.exit(), LINGER_MS).unref()
}
