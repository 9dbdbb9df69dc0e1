import { mask } from './internal/csrf/mask.ts'

/**
 * The token for a page that is sent compressed: a different string each time, which `csrf()` accepts like the token
 * itself. If a page contains parts of the request, the length of the compressed response would reveal a constant secret
 * step by step (BREACH).
 *
 * @example
 * html(`<input type="hidden" name="_csrf" value="${maskCsrfToken(ctx.state.csrfToken)}">`)
 */
export const maskCsrfToken = (token: string): string => mask(token)
