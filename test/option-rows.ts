import { createApp as makeApp } from '../src/app.ts'
import { clientKey } from '../src/client-address.ts'
import { createConfig } from '../src/config.ts'
import { Container } from '../src/container.ts'
import { setCookie } from '../src/cookie.ts'
import { createDatabase } from '../src/database/connect.ts'
import { defineEnv } from '../src/env/define-env.ts'
import { loadEnv } from '../src/env/load-env.ts'
import { frame } from '../src/internal/sse/sse-frame.ts'
import { route, use } from '../src/kernel/plan.ts'
import { group, mount } from '../src/kernel/scope.ts'
import { apiKey } from '../src/middleware/api-key.ts'
import { apiVersion } from '../src/middleware/api-version.ts'
import { basicAuth } from '../src/middleware/basic-auth.ts'
import { bearerAuth } from '../src/middleware/bearer-auth.ts'
import { bodyParser } from '../src/middleware/body-parser.ts'
import { compression } from '../src/middleware/compression.ts'
import { cors } from '../src/middleware/cors.ts'
import { csrf } from '../src/middleware/csrf.ts'
import { deprecation } from '../src/middleware/deprecation.ts'
import { helmet } from '../src/middleware/helmet.ts'
import { jwt } from '../src/middleware/jwt.ts'
import { language } from '../src/middleware/language.ts'
import { colorFormat, logger } from '../src/middleware/logger.ts'
import { rateLimiter } from '../src/middleware/rate-limiter.ts'
import { requestScope } from '../src/middleware/request-scope.ts'
import { requireScopes } from '../src/middleware/require-scopes.ts'
import { sanitizer } from '../src/middleware/sanitizer.ts'
import { securityHeaders } from '../src/middleware/security-headers.ts'
import { session } from '../src/middleware/session.ts'
import { validateBody, validateQuery, validator } from '../src/middleware/validator.ts'
import { versioned } from '../src/middleware/versioned.ts'
import { webhook } from '../src/middleware/webhook.ts'
import { openapi } from '../src/openapi.ts'
import { problemJson } from '../src/problem-json.ts'
import { slidingWindow } from '../src/rate-limit/sliding-window.ts'
import { redirect } from '../src/respond/redirect.ts'
import { text } from '../src/respond/text.ts'
import { cookieSession } from '../src/stores/cookie-session.ts'
import { durableObjectRateLimit } from '../src/stores/durable-object-rate-limit.ts'
import { kvSession } from '../src/stores/kv-session.ts'
import { memoryRateLimit } from '../src/stores/memory-rate-limit.ts'
import { memorySession } from '../src/stores/memory-session.ts'
import { redisCache } from '../src/stores/redis-cache.ts'
import { redisIdempotency } from '../src/stores/redis-idempotency.ts'
import { redisRateLimit } from '../src/stores/redis-rate-limit.ts'
import { redisSession } from '../src/stores/redis-session.ts'
import { sqlSession } from '../src/stores/sql-session.ts'
import { createApp as makeTiny } from '../src/tiny.ts'
import { webSocket } from '../src/websocket.ts'
import { string } from '../src/z/string.ts'
import { toJsonSchema } from '../src/z/to-json-schema.ts'

export type Make = (options: any) => unknown // any: every row is a bad option, which no type allows

const createApp: any = makeApp // any: as for Make
const tiny: Make = makeTiny
export const secret = 'a secret of thirty-two characters'
export const send = async () => {}
const schema = { safeParse: () => ({ success: true }) }
export const csp: Make = (directives) => helmet({ contentSecurityPolicy: { directives } })
const withSecret: Make = (options) => session({ secret, ...options })
const ofCookie: Make = (cookie) => session({ secret, cookie })
const ofCsrf: Make = (options) => csrf({ secret, ...options })
const limit: Make = (options) => rateLimiter({ max: 1, windowMs: 1000, ...options })
const ofJwt: Make = (options) => jwt({ secret, algorithms: ['HS256'], ...options })
const anOrigin = 'an origin such as "https://a.example"'
const ofSchema: Make = (options) => toJsonSchema(string(), options)
const ofDocument: Make = (options) => openapi(makeApp(), { info: { title: 'a', version: '1' }, ...options })
const ofSocket: Make = (options) => webSocket(() => ({}), options)
const cookie: Make = (options) => setCookie({} as never, 'a', '1', options)

/** Feature, how it is made, bad options, message. */
export const ROWS: readonly (readonly [Make, unknown, string])[] = [
  [cors, { origin: ['https://a.example:443'] }, `cors: origin: expected ${anOrigin}, got "https://a.example:443"`],
  [cors, { origin: 'http://a.example:80' }, `cors: origin: expected ${anOrigin}, got "http://a.example:80"`],
  [cors, { origin: 'https://*.a.example' }, `cors: origin: expected ${anOrigin}, got "https://*.a.example"`],
  [cors, { origin: 'https://münchen.example' }, `cors: origin: expected ${anOrigin}, got "https://münchen.example"`],
  [cors, { origin: 'https://ada@a.example' }, `cors: origin: expected ${anOrigin}, got "https://ada@a.example"`],
  [cors, { origin: 'https://a.example?b' }, `cors: origin: expected ${anOrigin}, got "https://a.example?b"`],
  [ofCsrf, { origins: ['https://A.example'] }, `csrf: origins: expected ${anOrigin}, got "https://A.example"`],
  [ofCsrf, { origins: ['https://a.example:443'] }, `csrf: origins: expected ${anOrigin}, got "https://a.example:443"`],
  [ofCsrf, { tokenLength: 1e9 }, 'csrf: tokenLength: expected at most 1024 characters, got 1000000000'],
  [ofCsrf, { headerName: 5 }, 'csrf: headerName: expected a field name, got 5'],
  [ofCsrf, { safeMethods: ['GET', 5] }, 'csrf: safeMethods: expected a list of methods, upper case, got ["GET",5]'],
  [
    helmet,
    { contentSecurityPolicy: { nonce: true, useDefaults: false, directives: { imgSrc: ["'self'"] } } },
    'helmet: contentSecurityPolicy: nonce: expected directives with scriptSrc, got {"imgSrc":["\'self\'"]}',
  ],
  [helmet, { referrerPolicy: '' }, 'helmet: referrerPolicy: expected a policy such as "no-referrer", got ""'],
  [helmet, { referrerPolicy: null }, 'helmet: referrerPolicy: expected a policy such as "no-referrer", got null'],
  [
    csp,
    { scriptSrc: ["'self'", 5, 'unsafe-inline'] },
    `helmet: contentSecurityPolicy: directives: scriptSrc: expected a source such as "'self'" or "https://a.example", got "unsafe-inline"`,
  ],
  ...[
    [undefined, 'undefined'] as const,
    [null, '"null"'] as const,
    [Promise.resolve(), '"[object"'] as const,
    [true, '"true"'] as const,
    [() => 'nonce', '"=>"'] as const,
  ].map(([value, shown]): readonly [Make, unknown, string] => [
    csp,
    { scriptSrc: ["'self'", value] },
    `helmet: contentSecurityPolicy: directives: scriptSrc: expected a source such as "'self'" or "https://a.example", got ${shown}`,
  ]),
  [ofCookie, { domain: 5 }, 'session: cookie: domain: expected a string, got 5'],
  [ofCookie, { path: 5 }, 'session: cookie: path: expected a string, got 5'],
  [cookie, { domain: ['a'] }, 'setCookie: domain: expected a string, got ["a"]'],
  [withSecret, { store: { get: send } }, 'session: store: expected a store or a function, got "object"'],
  [withSecret, { store: { seal: send } }, 'session: store: expected a store or a function, got "object"'],
  [sanitizer, { allowedTags: 'b' }, 'sanitizer: allowedTags: expected a list of tags, got "b"'],
  [apiVersion, { versions: [1] }, 'apiVersion: versions: expected a list of versions such as "2", got [1]'],
  [apiVersion, { versions: ['1'], header: 5 }, 'apiVersion: header: expected a field name, got 5'],
  [
    apiVersion,
    { versions: ['1'], strategy: 'query', queryParam: '' },
    'apiVersion: queryParam: expected a name, got ""',
  ],
  [apiKey, { verify: () => 1, header: 5 }, 'apiKey: header: expected a field name, got 5'],
  [versioned, {}, 'versioned: expected one handler or more, got {}'],
  [validator, { schema, status: '400' }, 'validator: status: expected a status from 400 to 599, got "400"'],
  [validator, { schema, status: 422.5 }, 'validator: status: expected a status from 400 to 599, got 422.5'],
  [createApp, { methodNotAllowed: 'yes' }, 'createApp: methodNotAllowed: expected a function, got "yes"'],
  [createApp, { methodNotAllowed: {} }, 'createApp: methodNotAllowed: expected a function, got {}'],
  [language, { supported: ['en'], cookie: 'a b' }, 'language: cookie: expected the name of a cookie, got "a b"'],
  [ofJwt, { cookie: 'a;b' }, 'jwt: cookie: expected the name of a cookie, got "a;b"'],
  [ofJwt, { schema: {} }, 'jwt: schema: expected a schema, got {}'],
  [cors, { orgin: '*' }, 'cors: orgin: unknown option, did you mean "origin"?'],
  [cors, { origin: ['https://a/'] }, 'cors: origin: expected an origin such as "https://a.example", got "https://a/"'],
  [cors, { origin: 'a.example' }, 'cors: origin: expected an origin such as "https://a.example", got "a.example"'],
  [cors, { origin: '' }, 'cors: origin: expected an origin such as "https://a.example", got ""'],
  [cors, { origin: ['*'] }, 'cors: origin: expected an origin such as "https://a.example", got "*"'],
  [
    cors,
    { origin: 'https://A.example' },
    'cors: origin: expected an origin such as "https://a.example", got "https://A.example"',
  ],
  [cors, { origin: [/a/, true] }, 'cors: origin: expected an origin such as "https://a.example", got true'],
  [cors, { maxAge: '1y' }, 'cors: maxAge: expected a whole number of seconds from 0, got "1y"'],
  [cors, { maxAge: Number.NaN }, 'cors: maxAge: expected a whole number of seconds from 0, got NaN'],
  [cors, { maxAge: -1 }, 'cors: maxAge: expected a whole number of seconds from 0, got -1'],
  [cors, { methods: ['GET POST'] }, 'cors: methods: expected a list of names, got ["GET POST"]'],
  [cors, { methods: ['put'] }, 'cors: methods: expected methods in upper case, got ["put"]'],
  [cors, { allowedHeaders: ['x-a\n'] }, 'cors: allowedHeaders: expected a list of names, got ["x-a\\n"]'],
  [cors, { exposedHeaders: ['x\ta'] }, 'cors: exposedHeaders: expected a list of names, got ["x\\ta"]'],
  [cors, { credentials: 'include' }, 'cors: credentials: expected a boolean, got "include"'],
  [cors, null, 'cors: expected an object of options, got null'],
  [cors, '*', 'cors: expected an object of options, got "String"'],
  [cors, Promise.resolve({ origin: [] }), 'cors: expected an object of options, got "Promise"'],
  [cors, () => ({ origin: [] }), 'cors: expected an object of options, got "Function"'],
  [cors, [], 'cors: expected an object of options, got "Array"'],
  [cors, new Map([['origin', []]]), 'cors: expected an object of options, got "Map"'],
  [helmet, { hsts: [] }, 'helmet: hsts: expected an object of options, got "Array"'],
  [csrf, Promise.resolve({ secret }), 'csrf: expected an object of options, got "Promise"'],
  [createApp, Promise.resolve({}), 'createApp: expected an object of options, got "Promise"'],
  [helmet, { hsts: { maxAge: '1y' } }, 'helmet: hsts: maxAge: expected a number of seconds, got "1y"'],
  [helmet, { hsts: { maxAge: -1 } }, 'helmet: hsts: maxAge: expected a number of seconds, got -1'],
  [helmet, { hsts: { maxage: 1 } }, 'helmet: hsts: maxage: unknown option, did you mean "maxAge"?'],
  [helmet, { hsts: { preload: 'yes' } }, 'helmet: hsts: preload: expected a boolean, got "yes"'],
  [helmet, { hsts: 'on' }, 'helmet: hsts: expected an object of options, got "String"'],
  [helmet, { noSnif: true }, 'helmet: noSnif: unknown option, did you mean "noSniff"?'],
  [helmet, { xssFilter: '1' }, 'helmet: xssFilter: expected true, false or "0", got "1"'],
  [
    helmet,
    { frameguard: { action: 'allow-from' } },
    'helmet: frameguard: action: expected "deny" or "sameorigin", got "allow-from"',
  ],
  [helmet, { referrerPolicy: 'never' }, 'helmet: referrerPolicy: expected a policy such as "no-referrer", got "never"'],
  [
    helmet,
    { referrerPolicy: ['origin', ''] },
    'helmet: referrerPolicy: expected a policy such as "no-referrer", got ""',
  ],
  [
    csp,
    { imgsrc: ['*'] },
    'helmet: contentSecurityPolicy: directives: expected a directive such as "scriptSrc", got "imgsrc"',
  ],
  [
    csp,
    { scriptSrc: ['self'] },
    `helmet: contentSecurityPolicy: directives: scriptSrc: expected a source such as "'self'" or "https://a.example", got "self"`,
  ],
  [
    csp,
    { scriptSrc: ["'self'; img-src *"] },
    `helmet: contentSecurityPolicy: directives: scriptSrc: expected a source such as "'self'" or "https://a.example", got "'self';"`,
  ],
  [
    securityHeaders,
    { crossOriginOpenerPolicy: 'same-site' },
    'securityHeaders: crossOriginOpenerPolicy: expected false or a string that matches ',
  ],
  [
    securityHeaders,
    { xssProtection: '1' },
    'securityHeaders: xssProtection: expected false or a string that matches ^0$, got "1"',
  ],
  [
    securityHeaders,
    { permissionPolicy: {} },
    'securityHeaders: permissionPolicy: unknown option, did you mean "permissionsPolicy"?',
  ],
  [
    securityHeaders,
    { permissionsPolicy: { camera: 'self' } },
    'securityHeaders: permissionsPolicy: camera: expected a list, got "self"',
  ],
  [
    securityHeaders,
    { permissionsPolicy: { camera: ['none'] } },
    'securityHeaders: permissionsPolicy: expected a URL, got "none"',
  ],
  [
    securityHeaders,
    { reportingEndpoints: { Main: '/r' } },
    'securityHeaders: reportingEndpoints: expected a name in lower case, got "Main"',
  ],
  [logger, { format: 'xml' }, 'logger: format: expected "json" or a function, got "xml"'],
  [logger, { log: true }, 'logger: log: expected a function, got true'],
  [logger, { colour: true }, 'logger: colour: unknown option, expected one of log, '],
  [colorFormat, { enabled: 'yes' }, 'colorFormat: enabled: expected a boolean, got "yes"'],
  [compression, { threshold: '1kb' }, 'compression: threshold: expected a whole number of bytes from 0, got "1kb"'],
  [compression, { threshold: -1 }, 'compression: threshold: expected a whole number of bytes from 0, got -1'],
  [
    compression,
    { preferredEncoding: 'lzma' },
    'compression: preferredEncoding: expected one of gzip, brotli, zstd, deflate, got "lzma"',
  ],
  [
    compression,
    { compressibleTypes: ['text'] },
    'compression: compressibleTypes: expected a list of media types such as "text/*", got ["text"]',
  ],
  [compression, { filter: 'text/*' }, 'compression: filter: expected a function, got "text/*"'],
  [
    apiVersion,
    { versions: ['1'], strategy: 'cookie' },
    'apiVersion: strategy: expected one of header, path, query, accept, got "cookie"',
  ],
  [
    apiVersion,
    { versions: ['1'], strategy: 'constructor' },
    'apiVersion: strategy: expected one of header, path, query, accept, got "constructor"',
  ],
  [apiVersion, { versions: [] }, 'apiVersion: versions: expected a list of versions such as "2", got []'],
  [apiVersion, {}, 'apiVersion: versions: expected a list of versions such as "2", got undefined'],
  [
    apiVersion,
    { versions: ['1', 'a b'] },
    'apiVersion: versions: expected a list of versions such as "2", got ["1","a b"]',
  ],
  [apiVersion, { versions: ['1'], header: 'x y' }, 'apiVersion: header: expected a field name, got "x y"'],
  [apiVersion, { versions: ['1'], default: '3' }, 'apiVersion: default: expected one of the versions, got "3"'],
  [apiVersion, { versions: ['1'], requred: true }, 'apiVersion: requred: unknown option, did you mean "required"?'],
  [versioned, { 1: 'users' }, 'versioned: 1: expected a handler, got "users"'],
  [deprecation, { since: new Date('soon') }, 'deprecation: since: expected a date from 1970 on, got null'],
  [deprecation, { since: '2026-01-01' }, 'deprecation: since: expected a date from 1970 on, got "2026-01-01"'],
  [
    deprecation,
    { since: new Date(0), sunset: 'soon' },
    'deprecation: sunset: expected a date from 1970 on, got "soon"',
  ],
  [deprecation, { since: new Date(0), link: 'a b' }, 'deprecation: link: expected a URL, got "a b"'],
  [
    sanitizer,
    { allowedTags: ['script'] },
    'sanitizer: allowedTags: expected tags that can be made safe, such as "b", got "script"',
  ],
  [sanitizer, { stripTag: true }, 'sanitizer: stripTag: unknown option, did you mean "stripTags"?'],
  [sanitizer, { body: 'no' }, 'sanitizer: body: expected a boolean, got "no"'],
  [validator, {}, 'validator: schema: expected a schema, got undefined'],
  [
    validator,
    { schema, source: 'cookies' },
    'validator: source: expected one of body, query, params, headers, got "cookies"',
  ],
  [validator, { schema, status: 200 }, 'validator: status: expected a status from 400 to 599, got 200'],
  [validator, { schema, onError: 'log' }, 'validator: onError: expected a function, got "log"'],
  [limit, { max: undefined }, 'rateLimiter: max: expected a whole number of requests from 0, got undefined'],
  [limit, { max: '5' }, 'rateLimiter: max: expected a whole number of requests from 0, got "5"'],
  [limit, { windowMs: 0 }, 'rateLimiter: windowMs: expected a whole number of milliseconds from 1, got 0'],
  [limit, { window: 1 }, 'rateLimiter: window: unknown option, did you mean "windowMs"?'],
  [
    limit,
    { standardHeaders: 'draft-9' },
    'rateLimiter: standardHeaders: expected a boolean, "draft-6", "draft-7" or "draft-8", got "draft-9"',
  ],
  [limit, { name: 'a"b' }, 'rateLimiter: name: expected printable ASCII without quotes, got "a\\"b"'],
  [limit, { keyGenerator: 'ip' }, 'rateLimiter: keyGenerator: expected a function, got "ip"'],
  [limit, { store: 'redis' }, 'rateLimiter: store: expected a store or a function, got "redis"'],
  [
    limit,
    { algorithm: slidingWindow, skipFailedRequests: true },
    'rateLimiter: algorithm: expected no algorithm with skipSuccessfulRequests, skipFailedRequests or a store of fixed windows, got "sliding-window"',
  ],
  [session, {}, 'session: secret: expected a non-empty string, or a list of them, got undefined'],
  [session, { secret: [secret, ''] }, 'session: secret: expected a non-empty string, or a list of them, got "object"'],
  [session, { secret: '' }, 'session: secret: expected a non-empty string, or a list of them, got ""'],
  [withSecret, { storage: memorySession() }, 'session: storage: unknown option, did you mean "store"?'],
  [withSecret, { store: 'redis' }, 'session: store: expected a store or a function, got "string"'],
  [withSecret, { rolling: 1 }, 'session: rolling: expected a boolean, got 1'],
  [ofCookie, { maxAge: 0 }, 'session: cookie: maxAge: expected a whole number of seconds from 1, got 0'],
  [ofCookie, { maxAge: '1d' }, 'session: cookie: maxAge: expected a whole number of seconds from 1, got "1d"'],
  [ofCookie, { name: 'a b' }, 'session: cookie: name: expected a name without spaces and separators, got "a b"'],
  [ofCookie, { secure: 'yes' }, 'session: cookie: secure: expected true, false or "auto", got "yes"'],
  [ofCookie, { name: '__Host-a' }, 'session: cookie: secure: expected true for __Host-a, got false'],
  [ofCookie, { httponly: true }, 'session: cookie: httponly: unknown option, did you mean "httpOnly"?'],
  [ofCookie, { sameSite: 'Strict' }, 'session: cookie: sameSite: expected "strict", "lax" or "none", got "Strict"'],
  [csrf, {}, 'csrf: secret: expected a non-empty string, or a list of them, got undefined'],
  [ofCsrf, { tokenLength: 15 }, 'csrf: tokenLength: expected a whole number of characters from 16, got 15'],
  [ofCsrf, { expirationTime: '1h' }, 'csrf: expirationTime: expected a whole number of milliseconds from 1, got "1h"'],
  [
    ofCsrf,
    { expirationTime: '3600000' },
    'csrf: expirationTime: expected a whole number of milliseconds from 1, got "3600000"',
  ],
  [ofCsrf, { expirationTime: 0.5 }, 'csrf: expirationTime: expected a whole number of milliseconds from 1, got 0.5'],
  [
    ofCsrf,
    { expirationTime: Number.POSITIVE_INFINITY },
    'csrf: expirationTime: expected a whole number of milliseconds from 1, got Infinity',
  ],
  [
    ofCsrf,
    { origins: ['https://a.example/'] },
    'csrf: origins: expected an origin such as "https://a.example", got "https://a.example/"',
  ],
  [ofCsrf, { headerName: 'x csrf' }, 'csrf: headerName: expected a field name, got "x csrf"'],
  [ofCsrf, { safeMethods: ['GET '] }, 'csrf: safeMethods: expected a list of methods, upper case, got ["GET "]'],
  [ofCsrf, { cookieName: 'a;b' }, 'csrf: cookie: name: expected a name without spaces and separators, got "a;b"'],
  [ofCsrf, { cokieName: 'a' }, 'csrf: cokieName: unknown option, did you mean "cookieName"?'],
  [bearerAuth, {}, 'bearerAuth: verify: expected a function, got undefined'],
  [
    bearerAuth,
    { verify: () => 1, realm: 'a"b' },
    'bearerAuth: realm: expected a string without quotes and line breaks, got "a\\"b"',
  ],
  [basicAuth, {}, 'basicAuth: users: expected a record of passwords, or verify, got undefined'],
  [basicAuth, { users: { 'a:b': 'c' } }, 'basicAuth: users: expected a name without a colon, got "a:b"'],
  [basicAuth, { users: { ada: '' } }, 'basicAuth: users: ada: expected a password that is not empty, got "string"'],
  [apiKey, {}, 'apiKey: hashes: expected a list of hashes, or verify, got undefined'],
  [apiKey, { hashes: ['the key itself'] }, 'apiKey: hashes: expected SHA-256 in hexadecimal, got "string"'],
  [apiKey, { verify: () => 1, header: 'x key' }, 'apiKey: header: expected a field name, got "x key"'],
  [requestScope, undefined, 'requestScope: container: expected a Container, got undefined'],
  [memorySession, { maxSessions: 1 }, 'memorySession: maxSessions: expected a whole number of sessions from 2, got 1'],
  [memorySession, { maxSesions: 9 }, 'memorySession: maxSesions: unknown option, did you mean "maxSessions"?'],
  [memoryRateLimit, { maxKeys: 2.5 }, 'memoryRateLimit: maxKeys: expected a whole number of keys from 2, got 2.5'],
  [cookieSession, { maxBytes: 0 }, 'cookieSession: maxBytes: expected a whole number of bytes from 1, got 0'],
  [redisSession, {}, 'redisSession: send: expected a function, got undefined'],
  [
    redisRateLimit,
    { send: () => {}, timeoutMs: 0 },
    'redisRateLimit: timeoutMs: expected a whole number of milliseconds from 1 to 2147483647, got 0',
  ],
  [kvSession as Make, undefined, 'kvSession: namespace: expected a KV binding, got undefined'],
  [durableObjectRateLimit as Make, {}, 'durableObjectRateLimit: namespace: expected a Durable Object binding, got {}'],
  [sqlSession, { db: 'postgres://ada:hunter2@db' }, 'sqlSession: db: expected a Kysely instance, got "string"'],
  [(one) => createApp().register(one), undefined, 'register: expected a class or an object, got undefined'],
  [(one) => createApp().register(one), null, 'register: expected a class or an object, got null'],
  [createApp, null, 'createApp: expected an object of options, got null'],
  [createApp, { onError: 'x' }, 'createApp: onError: expected a function, got "x"'],
  [createApp, { notFound: '/404' }, 'createApp: notFound: expected a function, got "/404"'],
  [createApp, { bodyLimit: '100' }, 'createApp: bodyLimit: expected a number, got "100"'],
  [createApp, { bodyLimit: Number.NaN }, 'createApp: bodyLimit: expected a number of bytes, got NaN'],
  [createApp, { basePath: 5 }, 'createApp: basePath: expected a string, got 5'],
  [createApp, { config: 'x' }, 'createApp: config: expected an object, got "x"'],
  [createApp, { basepath: '/a' }, 'createApp: basepath: unknown option, did you mean "basePath"?'],
  [tiny, null, 'createApp: expected an object of options, got null'],
  [tiny, { config: {} }, 'createApp: config: unknown option, expected one of '],
  [tiny, { methodNotAllowed: true }, 'createApp: methodNotAllowed: expected a function, got true'],
  [tiny, { onError: 'x' }, 'createApp: onError: expected a function, got "x"'],
  [(app) => createApp().mount('/x', app), undefined, 'mount: expected an application or a plan, got undefined'],
  [(app) => createApp().mount('/x', app), {}, 'mount: expected an application or a plan, got {}'],
  [(prefix) => createApp().mount(prefix, createApp()), undefined, 'mount: prefix: expected a path, got undefined'],
  [(build) => createApp().group('/x', build), undefined, 'group: expected a function, got undefined'],
  [(plan) => mount('/x', plan), undefined, 'mount: expected a plan, got undefined'],
  [ofSchema, { io: 'both' }, 'toJsonSchema: io: expected "input" or "output", got "both"'],
  [ofSchema, { reused: 'ref' }, 'toJsonSchema: reused: unknown option, expected one of target, io, unrepresentable'],
  [ofSchema, { targt: 'draft-7' }, 'toJsonSchema: targt: unknown option, did you mean "target"?'],
  [ofSchema, null, 'toJsonSchema: expected an object of options, got null'],
  [ofSchema, 'draft-7', 'toJsonSchema: expected an object of options, got "String"'],
  [(app) => mount('/x', app), createApp(), 'mount: expected a plan, got {'],
  [(app) => mount('/x', app), tiny({}), 'mount: expected a plan, got {'],
  [(build) => group('/x', build), undefined, 'group: expected a function, got undefined'],
  [(path) => createApp().get(path, () => text('')), undefined, 'path: expected a pattern such as '],
  [(step) => createApp().get('/', step), 'x', 'GET /: expected a handler or a middleware, got "x"'],
  [
    (step) => createApp().group('/a', (routes: any) => routes.post('/:id', text, step)),
    undefined,
    'POST /:id: expected a handler or a middleware, got undefined',
  ],
  [(method) => route(method, '/', text as never), 'get', 'route: expected a method in upper case, got "get"'],
  [(source) => validateBody(source, string() as never), 'json', 'validator: schema: expected a schema, got "json"'],
  [(step) => route('*', 'b', step), 1, '* b: expected a handler or a middleware, got 1'],
  [(step) => use(step), 1, 'use: expected a handler or a middleware, got 1'],
  [(step) => createApp().use('/a/*', step), createApp(), '/a/*: expected a handler or a middleware, got {'],
  [(step) => createApp().use(step), { size: 1n }, 'use: expected a handler or a middleware, got object'],
  [bodyParser, { jsn: true }, 'bodyParser: jsn: unknown option, did you mean "json"?'],
  [bodyParser, { json: { limt: 1 } }, 'bodyParser: json: limt: unknown option, did you mean "limit"?'],
  [bodyParser, { json: '1mb' }, 'bodyParser: json: expected an object of options, got "String"'],
  [bodyParser, { text: { depth: 1 } }, 'bodyParser: text: depth: unknown option, expected one of limit'],
  [bodyParser, { strict: 1 }, 'bodyParser: strict: expected a boolean, got 1'],
  [ofCsrf, { safeMethods: 'GET' }, 'csrf: safeMethods: expected a list of methods, upper case, got "GET"'],
  [ofCsrf, { origins: 'https://a.example' }, 'csrf: origins: expected a list of origins, got "https://a.example"'],
  [
    compression,
    { compressibleTypes: 'text/*' },
    'compression: compressibleTypes: expected a list of media types such as "text/*", got "text/*"',
  ],
  [clientKey, { header: 'x y' }, 'clientAddress: header: expected a field name, got "x y"'],
  [clientKey, { ipv6Prefix: 0 }, 'clientKey: ipv6Prefix: expected a number of bits from 1 to 128, got 0'],
  [clientKey, { trustProxy: true }, 'clientAddress: trustProxy: expected a number of hops, a list '],
  [clientKey, { trustproxy: 1 }, 'clientAddress: trustproxy: unknown option, did you mean "trustProxy"?'],
  [
    clientKey,
    { trustProxy: ['10/64'] },
    'clientAddress: trustProxy: expected an address or a range such as 10.0.0.0/8',
  ],
  [cookie, { maxage: 1 }, 'setCookie: maxage: unknown option, did you mean "maxAge"?'],
  [cookie, { maxAge: 1.5 }, 'setCookie: maxAge: expected a whole number of seconds, got 1.5'],
  [cookie, { path: 'x' }, 'setCookie: path: expected a path from "/" on, "/" for __Host-, got "x"'],
  [cookie, { domain: 'a b' }, 'setCookie: domain: expected a host name, none for __Host-, got "a b"'],
  [cookie, { sameSite: 'none' }, 'setCookie: secure: expected true for a, got undefined'],
  [redirect as Make, '/\r\nx: y', 'redirect: url: expected no line break, got "/\\r\\nx: y"'],
  [frame as Make, { data: '', id: 'a\n' }, 'sse: id: expected no line break, got "a\\n"'],
  [frame as Make, { data: '', retry: 1.5 }, 'sse: retry: expected a whole number of milliseconds, got 1.5'],
  [(key) => createConfig({}).set(`a.${key}`, 1), '__proto__', 'config: key: expected another name'],
  [(make) => new Container().bind('db', make), 'x', 'container: db: expected a function, got "x"'],
  [loadEnv, { mode: 'a/b' }, 'loadEnv: mode: expected letters, digits, - or _, and not "local", got "a/b"'],
  [loadEnv, { overide: true }, 'loadEnv: overide: unknown option, did you mean "override"?'],
  [loadEnv, { expand: 1 }, 'loadEnv: expand: expected a boolean, got 1'],
  [(options) => defineEnv({}, options), { sourse: {} }, 'defineEnv: sourse: unknown option, did you mean "source"?'],
  [
    (shape) => defineEnv(shape, { source: {} }),
    { PORT: 3000 },
    'defineEnv: PORT: expected a Standard Schema, got 3000',
  ],
  [cookie, { expires: 'soon' }, 'setCookie: expires: expected a date from 1970 on, got "soon"'],
  [helmet, null, 'helmet: expected an object of options, got null'],
  [problemJson, null, 'problemJson: expected an object of options, got null'],
  [problemJson, { negotate: true }, 'problemJson: negotate: unknown option, did you mean "negotiate"?'],
  [problemJson, { type: 'about:blank' }, 'problemJson: type: expected a function, got "about:blank"'],
  [versioned, null, 'versioned: expected a record of handlers, got null'],
  [requireScopes as Make, null, 'requireScopes: scopes: expected a scope without spaces, got null'],
  [requireScopes as Make, ['a'], 'requireScopes: scopes: expected a scope without spaces, got ["a"]'],
  [cookieSession, null, 'cookieSession: expected an object of options, got null'],
  [redisSession, null, 'redisSession: expected an object of options, got null'],
  [redisSession, { send, prefx: 'a' }, 'redisSession: prefx: unknown option, did you mean "prefix"?'],
  [redisSession, { send, prefix: null }, 'redisSession: prefix: expected a string, got null'],
  [redisRateLimit, { send, timeout: 1 }, 'redisRateLimit: timeout: unknown option, did you mean "timeoutMs"?'],
  [redisRateLimit, { send, now: 0 }, 'redisRateLimit: now: expected a function, got 0'],
  [redisCache, null, 'redisCache: expected an object of options, got null'],
  [redisIdempotency, null, 'redisIdempotency: expected an object of options, got null'],
  [sqlSession, null, 'sqlSession: expected an object of options, got null'],
  [loadEnv, null, 'loadEnv: expected an object of options, got null'],
  [defineEnv, null, 'defineEnv: expected a Standard Schema or a record of such schemas, got null'],
  [createDatabase, null, 'createDatabase: expected an object of options, got null'],
  [createDatabase, undefined, 'createDatabase: expected an object of options, got undefined'],
  [ofCookie, Promise.resolve({ secure: true }), 'session: cookie: expected an object of options, got "Promise"'],
  [ofCookie, new Map(), 'session: cookie: expected an object of options, got "Map"'],
  [ofCookie, [], 'session: cookie: expected an object of options, got "Array"'],
  [ofCookie, null, 'session: cookie: expected an object of options, got null'],
  [
    (cookie) => csrf({ secret, cookie } as never),
    Promise.resolve({ secure: true }),
    'csrf: cookie: expected an object of options, got "Promise"',
  ],
  [(cookie) => csrf({ secret, cookie } as never), new Map(), 'csrf: cookie: expected an object of options, got "Map"'],
  [(cookie) => csrf({ secret, cookie } as never), [], 'csrf: cookie: expected an object of options, got "Array"'],
  [(cookie) => csrf({ secret, cookie } as never), null, 'csrf: cookie: expected an object of options, got null'],
  [limit, { algorithm: {} }, 'rateLimiter: algorithm: expected an algorithm of sluice/rate-limit, got "object"'],
  [
    limit,
    { algorithm: Promise.resolve(slidingWindow) },
    'rateLimiter: algorithm: expected an algorithm of sluice/rate-limit, got "object"',
  ],
  [limit, { algorithm: null }, 'rateLimiter: algorithm: expected an algorithm of sluice/rate-limit, got "object"'],
  [
    limit,
    { standardHeaders: 'off' },
    'rateLimiter: standardHeaders: expected a boolean, "draft-6", "draft-7" or "draft-8", got "off"',
  ],
  [
    securityHeaders,
    { permissionsPolicy: Promise.resolve({ camera: [] }) },
    'securityHeaders: permissionsPolicy: expected a record of lists, got "Promise"',
  ],
  [
    securityHeaders,
    { permissionsPolicy: null },
    'securityHeaders: permissionsPolicy: expected a record of lists, got null',
  ],
  [
    securityHeaders,
    { reportingEndpoints: new Map([['main', '/r']]) },
    'securityHeaders: reportingEndpoints: expected a record of URLs, got "Map"',
  ],
  [basicAuth, { users: new Map([['ada', 'x']]) }, 'basicAuth: users: expected a record of passwords, got "Map"'],
  [basicAuth, { users: null, verify: send }, 'basicAuth: users: expected a record of passwords, got null'],
  [apiKey, { hashes: new Set(), verify: send }, 'apiKey: hashes: expected a list of hashes, or verify, got "object"'],
  [(one) => validateBody(string(), one as never), 'x', 'validator: expected an object of options, got "String"'],
  [
    (one) => validateBody(string(), one as never),
    { source: 'query' },
    'validator: source: unknown option, expected one of status, message, onError',
  ],
  [
    (one) => validateQuery(string(), one as never),
    { schema },
    'validator: schema: unknown option, expected one of status, message, onError',
  ],
  [
    sanitizer,
    { allowedTags: [null] },
    'sanitizer: allowedTags: expected tags that can be made safe, such as "b", got null',
  ],
  [
    language,
    { supported: ['en', null] },
    'language: supported: expected a list of tags such as ["en", "de-CH"], got ["en",null]',
  ],
  [ofJwt, { issuer: null }, 'jwt: issuer: expected a non-empty string, or a list of them, got null'],
  [
    (jwks) => jwt({ algorithms: ['RS256'], jwks } as never),
    null,
    'jwt: jwks: expected an http or https URL, or a key set, got null',
  ],
  [ofDocument, { servers: {} }, 'openapi: servers: expected a list, got {}'],
  [ofDocument, { tags: new Map() }, 'openapi: tags: expected a list, got {}'],
  [webhook, { scheme: 'github', secret, header: 'x y' }, 'webhook: header: expected a field name, got "x y"'],
  [webhook, { scheme: 'github', secret, header: '' }, 'webhook: header: expected a field name, got ""'],
  [ofSocket, { messages: {} }, 'webSocket: messages: expected a schema, got {}'],
  [ofSocket, { messages: null }, 'webSocket: messages: expected a schema, got null'],
  [ofSocket, { sends: 'json' }, 'webSocket: sends: expected a schema, got "json"'],
  [cookie, { sameSite: '' }, 'setCookie: sameSite: expected "strict", "lax" or "none", got ""'],
  [cookie, { sameSite: null }, 'setCookie: sameSite: expected "strict", "lax" or "none", got null'],
  [cookie, { expires: 0 }, 'setCookie: expires: expected a date from 1970 on, got 0'],
  [ofCookie, { sameSite: false }, 'session: cookie: sameSite: expected "strict", "lax" or "none", got false'],
  [
    (one) => kvSession({ get: send } as never, one as never),
    null,
    'kvSession: expected an object of options, got null',
  ],
  [
    (one) => kvSession({ get: send } as never, one as never),
    { prefix: 5 },
    'kvSession: prefix: expected a string, got 5',
  ],
]
