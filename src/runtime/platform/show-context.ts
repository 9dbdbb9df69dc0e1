import { PRINTED, showAs, shownFields } from '../../internal/object/show-as.ts'

/** The members of a context that are printed. */
interface ShownContext {
  readonly method: string
  readonly path: string
  readonly params: Readonly<Record<string, string>>
  readonly raw: Request
  readonly response: Response | undefined
}

/**
 * Make `console.log(ctx)` print what the request is: no internals, and no state, which may be a session. The platform's
 * own classes would print secret headers.
 */
export const showContext = <T extends ShownContext>(Class: { readonly prototype: T }): void => {
  // Every application does this, most of them with the same class
  if (PRINTED in Class.prototype) return
  showAs(Class, 'Context', ({ method, path, params, raw, response }) => ({
    method,
    path,
    params: { ...params },
    request: { url: raw.url, headers: shownFields(raw.headers) },
    ...(response && { response: { status: response.status, headers: shownFields(response.headers) } }),
  }))
}
