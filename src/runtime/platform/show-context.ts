import { PRINTED, showAs, shownFields } from '../../internal/object/show-as.ts'

interface ShownContext {
  readonly method: string
  readonly path: string
  readonly params: Readonly<Record<string, string>>
  readonly raw: Request
  readonly response: Response | undefined
}

/** Make `console.log(ctx)` print the request, without internals, state (which may be a session) and secret headers. */
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
