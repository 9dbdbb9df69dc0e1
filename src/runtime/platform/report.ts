/** Print what was thrown. An error that cannot be printed, as its `stack` throws, must not end the process. */
export const report = (error: unknown): void => {
  try {
    console.error(error)
  } catch {
    console.error('Unprintable')
  }
}
