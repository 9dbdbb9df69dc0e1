/** The server reads events from their stream. */
export const takesEvents = false
