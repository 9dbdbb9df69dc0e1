/** Print an error: what cannot be printed ends the request, not a process. */
export const report = (error: unknown): void => console.error(error)
