/** One request to an application, before and after it was moved. */
export interface Asked {
  readonly method?: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  /** An object is sent as JSON, anything else as it is. */
  readonly body?: string | object
}

export interface Observed {
  readonly status: number
  readonly type: string | null
  readonly location: string | null
  readonly cookies: readonly string[]
  readonly own: Readonly<Record<string, string>>
  readonly body: unknown
}

/** The origin of a server, or an application without one. */
export type Target = string | { fetch(request: Request): Response | Promise<Response> }

/** Ask a server, and keep what a client depends on. */
export const observe = async (target: Target, asked: Asked): Promise<Observed> => {
  const { method = 'GET', path, body } = asked
  const isJson = typeof body === 'object'
  const request = new Request((typeof target === 'string' ? target : 'http://localhost') + path, {
    method,
    redirect: 'manual',
    headers: { ...(isJson && { 'content-type': 'application/json' }), ...asked.headers },
    ...(body !== undefined && { body: isJson ? JSON.stringify(body) : (body as string) }),
  })
  const response = await (typeof target === 'string' ? fetch(request) : target.fetch(request))
  const text = await response.text()
  const type = response.headers.get('content-type')?.split(';')[0] ?? null
  return {
    status: response.status,
    type,
    location: response.headers.get('location'),
    cookies: response.headers.getSetCookie(),
    own: Object.fromEntries([...response.headers].filter(([name]) => name.startsWith('x-') && name !== 'x-powered-by')),
    body: type === 'application/json' && text ? JSON.parse(text) : text,
  }
}

/** The title of a test. */
export const titleOf = ({ method = 'GET', path, body = '' }: Asked): string =>
  `${method} ${path} ${JSON.stringify(body).slice(0, 40)}`.replace(' ""', '')

/** What is left if the words of an answer do not matter, only what it says to a program. */
export const withoutWords = ({ body: _, type: __, ...rest }: Observed): Partial<Observed> => rest
