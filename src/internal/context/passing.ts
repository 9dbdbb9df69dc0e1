/**
 * Mark a middleware that changes only what `onResponse` gets: it calls `next()` at most once, and returns the result
 * of that. A chain of such runs without bookkeeping, and without a copy of the response.
 */
export const passing = <M extends object>(middleware: M): M => Object.assign(middleware, { '~passes': true })
