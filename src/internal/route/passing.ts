/**
 * Mark a middleware that calls `next()` at most once, returns its result, and changes only what `onResponse` gets. It
 * runs without bookkeeping, and without a copy of the response.
 */
export const passing = <M extends object>(middleware: M): M => Object.assign(middleware, { '~passes': true })
