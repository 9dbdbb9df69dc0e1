import { report } from '../platform/report.ts'

/** How long other work of the program may keep a closing process alive, in milliseconds. */
const LINGER_MS = 1000

/**
 * End this process after a close: when nothing keeps it alive, or a second later. If the close failed, the exit code is
 * 1.
 */
export const exitAfterClose = async (closed: Promise<void>): Promise<void> => {
  await closed.catch((error) => {
    report(error)
    process.exitCode = 1
  })
  setTimeout(() => process.exit(), LINGER_MS).unref()
}
