/** The server takes events from their sender. */
export const takesEvents = true
