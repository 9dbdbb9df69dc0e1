/** One issue of a failed validation, as a sluice server sends it. */
export interface ClientIssue {
  readonly path: readonly (string | number)[]
  readonly message: string
  readonly code?: string
}

/** The error that {@link unwrap} throws for an unsuccessful response. */
export class ClientError extends Error {
  override readonly name: string = 'ClientError'
  /** Status of the response. */
  readonly status: number
  /** Parsed JSON, else text. */
  readonly body: unknown
  /** Issues of a failed validation, if the response has any. */
  readonly issues: readonly ClientIssue[]

  constructor(status: number, body: unknown) {
    // The default form, or Problem Details (RFC 9457)
    const { error, detail, title, errors, issues = errors } = Object(body) as Record<string, unknown>
    const reason = [error, detail, title].find((text) => typeof text === 'string')
    super(`${reason ?? `The server responded with ${status}`}`)
    this.status = status
    this.body = body
    this.issues = Array.isArray(issues) ? issues : []
  }
}

type DataOf<R> = R extends { readonly ok: infer Ok; json(): Promise<infer Output> }
  ? true extends Ok
    ? Output
    : never
  : never

/**
 * The data of a response: parsed JSON, else text, `undefined` without a body.
 *
 * @throws {ClientError} for a status that is not from 200 to 299, and for JSON that cannot be parsed.
 * @example
 * const user = await unwrap(api.get('/users/:id', { params: { id: 1 } }))
 */
export const unwrap = async <R extends Response>(reply: R | PromiseLike<R>): Promise<DataOf<R>> => {
  const response: Response = await reply
  const text = await response.text()
  let body: unknown = text || undefined
  let { ok } = response
  if (text && /[/+]json\b/i.test(response.headers.get('content-type') ?? '')) {
    try {
      body = JSON.parse(text)
    } catch {
      ok = false
    }
  }
  if (!ok) throw new ClientError(response.status, body)
  return body as DataOf<R>
}
