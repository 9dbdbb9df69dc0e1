import { checkOption } from '../internal/options/check.ts'
import type { Middleware } from '../internal/types/context.ts'
import { refuse } from '../pipe/refuse.ts'

/** A scope (RFC 6749 §3.3), without characters that could end the quoted list. */
const SCOPE = /^[!#-[\]-~]+$/

/**
 * Accept only tokens with all of these scopes: otherwise 403 with `error="insufficient_scope"` (RFC 6750 §3.1).
 *
 * Reads `ctx.state.scopes`, which `jwt` of `sluice/middleware/jwt` writes. The scheme of the challenge is `Bearer`.
 *
 * @throws {TypeError} when created, without a scope, or for an invalid one.
 * @example
 * app.delete('/users/:id', requireScopes('users:write'), removeUser)
 */
export const requireScopes = (...scopes: readonly string[]): Middleware<{}, { scopes: readonly string[] }> => {
  checkOption(scopes.length, 'requireScopes: scopes', 'one scope or more', scopes)
  const isScope = (scope: unknown): boolean => typeof scope === 'string' && SCOPE.test(scope)
  for (const scope of scopes) checkOption(isScope(scope), 'requireScopes: scopes', 'a scope without spaces', scope)
  const challenge = `Bearer error="insufficient_scope", scope="${scopes.join(' ')}"`
  const middleware: Middleware<{}, { scopes: readonly string[] }> = function requireScopes(ctx, next) {
    const granted: unknown = ctx.state.scopes
    if (Array.isArray(granted) && scopes.every((scope) => granted.includes(scope))) return next()
    return refuse(ctx, 403, 'Insufficient scope', { code: 'insufficient_scope' }, ['www-authenticate', challenge])
  }
  return Object.assign(middleware, { describes: { statuses: [403] } })
}
