/** Mark a middleware that neither edits nor keeps what `next()` gave: see `passes` of `Middleware`. */
export const passing = <M extends object>(middleware: M): M => Object.assign(middleware, { passes: true })
