/** What a server passes on, among the rest, so that sockets end when it closes. */
interface WithClosing {
  readonly '~closing'?: { readonly begun: boolean; readonly endless: Set<() => void> }
}

/** Call a function when the server closes. @returns a function that forgets it */
export const endWithServer = (execution: unknown, end: () => void): (() => void) => {
  const closing = (execution as WithClosing | undefined)?.['~closing']
  if (closing?.begun) end()
  else closing?.endless.add(end)
  return () => void closing?.endless.delete(end)
}
