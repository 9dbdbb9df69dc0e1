/** What a name of Hono stands for. */
export type Role = 'app' | 'error' | 'factory' | 'validator' | 'serve' | 'middleware' | 'same' | 'type'

/** A name that is imported from Hono, and the one of sluice. */
export interface Counterpart {
  readonly module: string
  readonly name: string
  readonly role: Role
  /** The name in this module, if it was imported with `as`. */
  readonly alias?: string
  /** Its options differ: they are left to the reader. @default false */
  readonly differs?: boolean
}

const middleware = (path: string, name: string, differs = true): Counterpart => ({
  module: `sluice/middleware/${path}`,
  name,
  role: 'middleware',
  differs,
})

const cookie = (name: string): Counterpart => ({ module: 'sluice/cookie', name, role: 'same' })

const type = (name: string): Counterpart => ({ module: 'sluice', name, role: 'type' })

/** The modules of Hono that have a counterpart, and their exports. */
export const MODULES: { readonly [module: string]: { readonly [name: string]: Counterpart } } = {
  hono: {
    Hono: { module: 'sluice', name: 'createApp', role: 'app' },
    Context: type('Context'),
    Handler: type('Handler'),
    MiddlewareHandler: type('Middleware'),
    Next: type('Next'),
  },
  'hono/http-exception': { HTTPException: { module: 'sluice', name: 'HttpError', role: 'error' } },
  'hono/factory': { createMiddleware: { module: 'sluice', name: 'Middleware', role: 'factory' } },
  'hono/cookie': {
    getCookie: cookie('getCookie'),
    setCookie: cookie('setCookie'),
    deleteCookie: cookie('deleteCookie'),
  },
  'hono/cors': { cors: middleware('cors', 'cors') },
  'hono/logger': { logger: middleware('logger', 'logger') },
  'hono/etag': { etag: middleware('etag', 'etag') },
  'hono/compress': { compress: middleware('compression', 'compression') },
  'hono/secure-headers': { secureHeaders: middleware('helmet', 'helmet') },
  'hono/pretty-json': { prettyJSON: middleware('pretty-json', 'prettyJson') },
  'hono/request-id': { requestId: middleware('request-id', 'requestId') },
  'hono/body-limit': { bodyLimit: middleware('body-limit', 'bodyLimit') },
  'hono/bearer-auth': { bearerAuth: middleware('bearer-auth', 'bearerAuth') },
  'hono/basic-auth': { basicAuth: middleware('basic-auth', 'basicAuth') },
  'hono/jwt': { jwt: middleware('jwt', 'jwt') },
  'hono/csrf': { csrf: middleware('csrf', 'csrf') },
  'hono/timeout': { timeout: middleware('timeout', 'timeout', false) },
  'hono/trailing-slash': {},
  '@hono/zod-validator': { zValidator: { module: 'sluice', name: 'validateBody', role: 'validator' } },
  '@hono/node-server': { serve: { module: 'sluice', name: 'listen', role: 'serve' } },
}

/** Middleware that cannot be created without options. */
export const NEEDS_OPTIONS: ReadonlySet<string> = new Set(['csrf', 'jwt', 'bearerAuth', 'basicAuth', 'bodyLimit'])

/** The validator for each target of `zValidator`. */
export const VALIDATORS: { readonly [target: string]: string } = {
  json: 'validateBody',
  form: 'validateBody',
  query: 'validateQuery',
  param: 'validateParams',
  header: 'validateHeaders',
}

/** Where the values of each target are: `c.req.valid('query')`. */
export const VALID: { readonly [target: string]: string } = {
  json: 'state.valid.body',
  form: 'state.valid.body',
  query: 'state.valid.query',
  param: 'state.valid.params',
  header: 'state.valid.headers',
}

/** Members of the context that are the same. */
export const SAME: ReadonlySet<string> = new Set(['json', 'text', 'html', 'redirect', 'env'])

/** Readers and properties of `c.req`, and what they are of `c`. */
export const REQUEST: { readonly [member: string]: string } = {
  json: 'json',
  text: 'text',
  formData: 'formData',
  arrayBuffer: 'arrayBuffer',
  blob: 'blob',
  method: 'method',
  path: 'path',
  url: 'request.url',
  raw: 'request',
}
