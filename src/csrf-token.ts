import { mask } from './internal/csrf/mask.ts'

/**
 * The token for a page that is sent compressed: another text each time, that `csrf()` accepts like the token itself.
 * Where a page repeats what the request said, the length of the compressed answer would give away a constant secret
 * step by step (BREACH).
 *
 * @example
 * html(`<input type="hidden" name="_csrf" value="${maskCsrfToken(ctx.state.csrfToken)}">`)
 */
export const maskCsrfToken = (token: string): string => mask(token)
