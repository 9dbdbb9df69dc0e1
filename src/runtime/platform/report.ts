/**
 * Print an error. An error that cannot be printed, such as one whose `stack` is a getter that throws, must not end the
 * process.
 *
 * @param error what was thrown; `undefined` is reported too
 */
export const report = (error: unknown): void => {
  try {
    console.error(error)
  } catch {
    console.error('Unprintable')
  }
}
