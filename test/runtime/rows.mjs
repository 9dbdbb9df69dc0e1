import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'

/** A form of two fields and two files, as a browser sends it. */
const BOUNDARY = '----sluice'
const MULTIPART = [
  `--${BOUNDARY}\r\ncontent-disposition: form-data; name="title"\r\n\r\nhé\r\n`,
  `--${BOUNDARY}\r\ncontent-disposition: form-data; name="tag"\r\n\r\none\r\n`,
  `--${BOUNDARY}\r\ncontent-disposition: form-data; name="tag"\r\n\r\ntwo\r\n`,
  `--${BOUNDARY}\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\ncontent-type: text/plain\r\n\r\nabc\r\n`,
  `--${BOUNDARY}--\r\n`,
]
const AS_MULTIPART = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` }
const AS_JSON = { 'content-type': 'application/json' }
const AS_FORM = { 'content-type': 'application/x-www-form-urlencoded' }

const post = (path, body, headers = AS_JSON) => ({ line: `POST ${path}`, headers, body })
const preflight = (path, origin, more = {}) => ({
  line: `OPTIONS ${path}`,
  headers: { origin, 'access-control-request-method': 'PUT', ...more },
})

const unpacked = ({ headers, bytes }) => {
  if (headers['content-encoding'] === 'br') return brotliDecompressSync(bytes).toString()
  return headers['content-encoding'] === 'gzip' ? gunzipSync(bytes).toString() : bytes.toString()
}

/**
 * What is asked and what is expected: a status; `text`, `json`, `empty` for the body; `headers` by name, `null` for absent, patterns allowed;
 * `check` for the rest. Each row runs on every runtime and through both doors.
 */
export const rows = [
  [
    'R20 the root',
    'GET /',
    { status: 200, text: 'root', headers: { 'content-type': /^text\/plain; ?charset=utf-8$/i } },
  ],
  ['R3 a trailing slash is ignored', 'GET /users/me/', { status: 200, text: 'static' }],
  ['R24 a parameter is decoded', 'GET /users/a%20b%2Fc%C3%A9', { status: 200, json: { id: 'a b/cé' } }],
  ['R24 a plus stays a plus', 'GET /users/a+b', { status: 200, json: { id: 'a+b' } }],
  // Every guard with a path is asked first, and one of this application closes what it covers
  ['NA5 a malformed escape is covered by every guard', 'GET /users/%zz', { status: 403, text: 'closed' }],
  ['NA5 so is an escape that is no UTF-8', 'GET /users/%ff', { status: 403, text: 'closed' }],
  ['R27 static beats a parameter', 'GET /users/me', { status: 200, text: 'static' }],
  ['R27 the search goes back', 'GET /s/a/c', { status: 200, text: 'back to a' }],
  ['R25 a rest parameter keeps its slashes', 'GET /files/a/b%20c/d', { status: 200, json: { path: 'a/b c/d' } }],
  ['R25 a rest parameter is not empty', 'GET /files/', { status: 404 }],
  ['R26 a wildcard', 'GET /rest/x/y', { status: 200, json: { '*': 'x/y' } }],
  ['R22 all: PUT', 'PUT /any', { status: 200, text: 'PUT' }],
  ['R22 all: DELETE', 'DELETE /any', { status: 200, text: 'DELETE' }],
  ['R22 all: PATCH', 'PATCH /any', { status: 200, text: 'PATCH' }],
  ['R35 middleware of a route', 'GET /per-route', { status: 200, text: 'yes' }],
  ['R4 an unmatched path', 'GET /nowhere', { status: 404, json: { error: 'Not Found' } }],
  ['R34 two slashes are not one', 'GET //users/me', { status: 404 }],
  ['R23 static text is not decoded', 'GET /%75sers/me', { status: 404 }],
  ['R31 another method', 'DELETE /users/7', { status: 405, headers: { allow: 'GET, POST, HEAD, OPTIONS' } }],
  ['R33 OPTIONS', 'OPTIONS /users/7', { status: 204, headers: { allow: /GET/ }, empty: true }],
  [
    'R32 HEAD answers as GET does, without a body',
    'HEAD /respond/html',
    { status: 200, empty: true, headers: { 'content-type': /html/ } },
  ],
  [
    'H4 an empty text has its type',
    'GET /respond/no-text',
    { status: 200, text: '', headers: { 'content-type': /plain/ } },
  ],
  [
    'R32 HEAD of a stream ends, and has no length',
    'HEAD /stream/endless',
    { status: 200, empty: true, headers: { 'content-length': null } },
  ],
  [
    'R32 HEAD of events has no length',
    'HEAD /sse/three',
    { status: 200, empty: true, headers: { 'content-type': /event-stream/, 'content-length': null } },
  ],
  [
    'R32 HEAD of a platform response has not the length 0',
    'HEAD /respond/platform',
    { status: 203, empty: true, headers: { 'x-plain': 'yes', 'content-length': /^(5|undefined)$/ } },
  ],
  [
    'R32 HEAD of a response without a body has not the length 0',
    'HEAD /respond/head',
    { status: 200, empty: true, headers: { 'x-plain': 'yes', 'content-length': null } },
  ],
  [
    'R32 HEAD of a blob has its type',
    'HEAD /respond/blob',
    { status: 200, empty: true, headers: { 'content-type': /^text\/html/ } },
  ],
  ['a query does not disturb the path', 'GET /users/me?x=/users/7', { status: 200, text: 'static' }],
  ['a long path', `GET /users/${'x'.repeat(4000)}`, { status: 200, json: { id: 'x'.repeat(4000) } }],

  [
    'X1 to X8 the context',
    { line: 'GET /ctx/n%C3%A4me?a=1&b=2&a=3%204', headers: { 'X-Mixed-Case': 'value' } },
    {
      status: 200,
      json: {
        method: 'GET',
        path: '/ctx/n%C3%A4me',
        pathname: '/ctx/n%C3%A4me',
        host: true,
        query: [
          ['a', '1'],
          ['b', '2'],
          ['a', '3 4'],
        ],
        same: true,
        params: { name: 'näme' },
        header: 'value',
        absent: null,
        state: true,
        native: true,
      },
    },
  ],
  ['X5 the environment', 'GET /env', { status: 200, text: 'hello from the environment' }],
  [
    'X11 a body is read many times',
    post('/body/many', '{"é":1}'),
    { status: 200, json: { first: '{"é":1}', second: { é: 1 }, bytes: 8, again: '{"é":1}' } },
  ],
  [
    'X11 a body in pieces',
    post('/body/size', ['a'.repeat(70_000), 'b'.repeat(70_000)]),
    { status: 200, json: { size: 140_000 } },
  ],
  [
    'X11 a body of a megabyte as a stream',
    post('/body/stream', Buffer.alloc(1_000_000)),
    { status: 200, json: { size: 1_000_000 } },
  ],
  ['a body that nobody reads', post('/body/unread', 'x'.repeat(100_000)), { status: 200, text: 'not read' }],
  ['R6 JSON that is none', post('/body/json', '{"a":'), { status: 400, json: { error: 'Invalid JSON' } }],
  ['an empty JSON body', post('/body/json', ''), { status: 400, json: { error: 'Invalid JSON' } }],
  [
    'a form',
    post('/body/form', 'a=1&b=%C3%A9+x', AS_FORM),
    {
      status: 200,
      json: [
        ['a', '1'],
        ['b', 'é x'],
      ],
    },
  ],
  [
    'a form with a file',
    post('/body/form', MULTIPART, AS_MULTIPART),
    {
      status: 200,
      json: [
        ['title', 'hé'],
        ['tag', 'one'],
        ['tag', 'two'],
        ['file', 'a.txt:text/plain:3'],
      ],
    },
  ],
  ['a form that is broken', post('/body/form', 'nonsense', AS_MULTIPART), { status: 400 }],
  ['X13 validate', post('/validate', '{"name":"Ada","age":"36"}'), { status: 200, json: { name: 'Ada', age: 36 } }],
  [
    'X13 validate a form',
    post('/validate', 'name=Ada&age=36', AS_FORM),
    { status: 200, json: { name: 'Ada', age: 36 } },
  ],
  [
    'X13 validate refuses',
    post('/validate', '{"name":"A","age":"x"}'),
    { status: 422, check: ({ json }) => json().error === 'Validation failed' && json().issues.length === 2 },
  ],

  [
    'H1 json',
    'GET /respond/json',
    { status: 201, json: { ok: true }, headers: { 'x-one': '1', 'content-type': 'application/json' } },
  ],
  ['H1 json with an init', 'GET /respond/init', { status: 202, headers: { 'x-two': '2' } }],
  ['H2 a content type of its own', 'GET /respond/type', { headers: { 'content-type': 'application/problem+json' } }],
  ['H4 html', 'GET /respond/html', { text: '<p>é</p>', headers: { 'content-type': 'text/html; charset=utf-8' } }],
  ['H4 text and status', 'GET /respond/text', { status: 418, text: 'é' }],
  ['H5 redirect', 'GET /respond/redirect', { status: 302, headers: { location: '/elsewhere' }, empty: true }],
  ['H5 redirect for good', 'GET /respond/moved', { status: 308, headers: { location: 'https://other.example/x?y=1' } }],
  ['R38 no body with 204', 'GET /respond/empty', { status: 204, empty: true, headers: { 'content-type': null } }],
  [
    'P30 a text has a type for who looks, its copies too, and none once it is deleted',
    'GET /respond/text-type',
    {
      check: (answer) => {
        const [last, ...types] = answer.json().reverse()
        return last === null && types.length === 3 && types.every((type) => /^text\/plain; ?charset=utf-8$/i.test(type))
      },
    },
  ],
  ['H8 a platform response', 'GET /respond/platform', { status: 203, text: 'plain', headers: { 'x-plain': 'yes' } }],
  ...['platform', 'stored'].map((path) => [
    `H4 the type of a text of the platform behind edits: ${path}`,
    `GET /helmet/${path}`,
    { text: path === 'platform' ? 'plain' : 'stored', headers: { 'content-type': /^text\/plain; ?charset=utf-8$/i } },
  ]),
  [
    'H4 bytes of the platform behind edits',
    'GET /helmet/platform-bytes',
    { text: 'hi', check: ({ headers }) => !/text/.test(headers['content-type']) },
  ],
  ['X7 a frozen response', 'GET /respond/frozen', { status: 303, headers: { location: 'http://other.example/' } }],
  ['bytes', 'GET /respond/bytes', { status: 200, check: ({ bytes }) => bytes.equals(Buffer.from([0, 255, 1])) }],
  [
    'H3 two cookies are two lines',
    'GET /respond/cookies',
    { check: ({ cookies }) => cookies.join() === 'a=1,b=2; Path=/' },
  ],
  [
    'finalizers run last first',
    'GET /respond/edited',
    { headers: { 'x-order': 'registered last, registered first', 'x-list': 'from a list' } },
  ],
  [
    'cookies are read',
    { line: 'GET /cookies', headers: { cookie: 'a=1; b=%C3%A9; a=2; __proto__=x' } },
    { check: ({ json }) => json().a === '1' && json().b === 'é' },
  ],

  [
    'H6 a stream arrives as it is made',
    'GET /stream/three',
    { status: 200, text: 'one two thrée', check: ({ at }) => at.length > 1 && at.at(-1) - at[0] > 30 },
  ],
  ['F7 a stream that is made of another', 'GET /stream/doubled', { status: 200, text: 'aabb' }],
  ['F7 a stream that is made of a text', 'GET /stream/doubled-text', { status: 200, text: 'aa' }],
  ['F7 a stream that is made of a platform response', 'GET /stream/doubled-platform', { status: 200, text: 'aa' }],
  [
    'a stream of four megabytes',
    'GET /stream/large',
    { check: ({ bytes }) => bytes.length === 4_194_304 && bytes[65_536 * 40] === 40 && bytes.at(-1) === 63 },
  ],
  [
    'S5 an id of an event in UTF-8',
    { line: 'GET /sse/three', headers: { 'last-event-id': 'preis-\xe2\x82\xac' } },
    { status: 200, check: ({ text }) => text.includes('data: after preis-€\n') },
  ],
  [
    'S1 events',
    { line: 'GET /sse/three', headers: { 'last-event-id': '6' } },
    {
      status: 200,
      headers: { 'content-type': 'text/event-stream', 'cache-control': /no-cache/ },
      check: ({ text }) =>
        text.includes('event: first\n') &&
        text.includes('data: {"n":1}\n') &&
        text.includes('data: two\ndata: lines\n\n') &&
        text.includes('data: after 6\n'),
    },
  ],

  ['R6 an error says nothing', 'GET /errors/throw', { status: 500, json: { error: 'Internal Server Error' } }],
  ['R6 a rejection says nothing', 'GET /errors/reject', { status: 500, json: { error: 'Internal Server Error' } }],
  [
    'R6 an HttpError',
    'GET /errors/http',
    { status: 418, json: { error: 'Short and stout' }, headers: { 'x-pot': 'tea' } },
  ],
  ['R5 null thrown', 'GET /errors/null', { status: 500 }],
  ['R37 no response', 'GET /errors/nothing', { status: 500, json: { error: 'Internal Server Error' } }],
  ['R6 an HttpError later', 'GET /errors/later', { status: 409, json: { error: 'Conflict' } }],

  [
    'a thrown Response is the answer',
    'GET /errors/response',
    { status: 409, text: 'thrown', headers: { 'x-thrown': 'yes' } },
  ],
  ['next() that is not awaited', 'GET /unawaited/answer', { status: 200, text: 'of the handler' }],
  [
    'next() that is neither awaited nor returned, and a late handler: no response',
    'GET /unawaited/later',
    { status: 500, json: { error: 'Internal Server Error' } },
  ],
  [
    'next() that is not awaited and rejects: the answer of the middleware',
    'GET /unawaited/own',
    { status: 200, text: 'of the middleware' },
  ],
  ['a guard: the path itself', 'GET /guarded/secret/x', { status: 403, text: 'closed' }],
  ['a guard: %2F', 'GET /guarded/secret%2Fx', { status: 403, text: 'closed' }],
  ['a guard: an escaped letter', 'GET /guarded/%73ecret/x', { status: 403, text: 'closed' }],
  ['a guard: %2f within a parameter', 'GET /pair/a%2fb', { status: 403, text: 'closed' }],
  ['a guard leaves other paths alone', 'GET /guarded/open', { status: 200, text: 'open' }],
  ['a base path', 'GET /api/where/x', { status: 200, json: { base: '/api', params: { name: 'x' } } }],
  ['a base path moves the guards of its plan', 'GET /api/where/closed', { status: 403, text: 'closed' }],
  ['a base path ends at a segment', 'GET /apiwhere/x', { status: 404 }],
  ['F5 a body above 1 MiB is refused', post('/body/json', `"${'x'.repeat(1_100_000)}"`), { status: 413 }],
  [
    'F5 a body above 1 MiB in pieces is refused',
    post('/body/size', ['x'.repeat(600_000), 'x'.repeat(600_000)]),
    { status: 413 },
  ],

  [
    'helmet',
    'GET /helmet/page',
    {
      status: 200,
      text: 'page',
      headers: {
        'x-frame-options': 'SAMEORIGIN',
        'x-content-type-options': 'nosniff',
        'content-security-policy': /default-src 'self'/,
      },
    },
  ],
  ['helmet leaves what the handler set', 'GET /helmet/own', { headers: { 'x-frame-options': 'DENY' } }],
  ['helmet on a frozen response', 'GET /helmet/frozen', { status: 302, headers: { 'x-frame-options': 'SAMEORIGIN' } }],
  ['helmet on an error', 'GET /helmet/fails', { status: 500, headers: { 'x-frame-options': 'SAMEORIGIN' } }],
  ['helmet on an unmatched path', 'GET /helmet/nowhere', { status: 404, headers: { 'x-frame-options': 'SAMEORIGIN' } }],

  [
    'cors: a preflight',
    preflight('/cors/data', 'https://two.example', { 'access-control-request-headers': 'x-a' }),
    {
      status: 204,
      empty: true,
      headers: {
        'access-control-allow-origin': 'https://two.example',
        'access-control-allow-methods': /PUT/,
        'access-control-allow-headers': 'x-a',
        'access-control-allow-credentials': 'true',
        'access-control-max-age': '600',
        vary: /Origin/,
      },
    },
  ],
  [
    'cors: a stranger',
    preflight('/cors/data', 'https://evil.example'),
    { headers: { 'access-control-allow-origin': null } },
  ],
  [
    'cors: a request',
    { line: 'GET /cors/data', headers: { origin: 'https://one.example' } },
    { status: 200, json: { ok: true }, headers: { 'access-control-allow-origin': 'https://one.example' } },
  ],
  [
    'cors: everybody',
    { line: 'GET /open/data', headers: { origin: 'https://x.example' } },
    { headers: { 'access-control-allow-origin': '*' } },
  ],

  ['etag: SHA-256 of a text', 'GET /tagged/page', { text: 'page', headers: { etag: '"NmAxWprz3yVdjxmrB35Hl4Ir"' } }],
  ['etag: SHA-256 of a long text', 'GET /tagged/long', { headers: { etag: '"-7vJDy_Ah561DYa3ExQtNNnT"' } }],
  ['apiKey: the key of a hash', { line: 'GET /key/who', headers: { 'x-api-key': 'partner' } }, { text: 'partner' }],
  ['apiKey: another key', { line: 'GET /key/who', headers: { 'x-api-key': 'other' } }, { status: 401 }],
  [
    'webhook: HMAC-SHA-256 of a body',
    post('/hook', 'body', {
      'x-hub-signature-256': 'sha256=e7b04e10ee0815dae7e72249a3b5b5f6af644fcb9a568bef536ed9a8e3c996f4',
    }),
    { text: 'c5bf0bb60ce37c00c766b0daf696c41225c88203f095024c98fadd7013f0292b' },
  ],
  [
    'webhook: HMAC-SHA-256 of a long body',
    post('/hook', 'body'.repeat(20_000), {
      'x-hub-signature-256': 'sha256=4c0b8321471b094ec10420dc5426b00dd3c4a205df154a31ca8f0168817f9085',
    }),
    { status: 200 },
  ],

  [
    'compression: gzip',
    { line: 'GET /compressed/text', headers: { 'accept-encoding': 'gzip' } },
    {
      headers: { 'content-encoding': 'gzip', vary: /Accept-Encoding/i },
      check: (answer) => answer.bytes.length < 2000 && unpacked(answer) === 'compress me, '.repeat(1000),
    },
  ],
  [
    'compression: the best that the runtime has',
    { line: 'GET /compressed/text', headers: { 'accept-encoding': 'br, gzip' } },
    {
      headers: { 'content-encoding': /br|gzip/ },
      check: (answer) => unpacked(answer) === 'compress me, '.repeat(1000),
    },
  ],
  [
    'compression: a stream',
    { line: 'GET /compressed/stream', headers: { 'accept-encoding': 'gzip' } },
    { headers: { 'content-encoding': 'gzip' }, check: (answer) => unpacked(answer).endsWith('line 199\n') },
  ],
  [
    'MZ6 compression: HEAD of a file has no length (RFC 9110 §8.6)',
    { line: 'HEAD /compressed/file', headers: { 'accept-encoding': 'gzip' } },
    { status: 200, empty: true, headers: { 'content-encoding': 'gzip', 'content-length': null } },
  ],
  [
    'compression: not wanted',
    'GET /compressed/text',
    { headers: { 'content-encoding': null }, check: ({ bytes }) => bytes.length === 13_000 },
  ],
  [
    'compression: too small',
    { line: 'GET /compressed/small', headers: { 'accept-encoding': 'gzip' } },
    { text: 'small', headers: { 'content-encoding': null } },
  ],
  [
    'compression: an image',
    { line: 'GET /compressed/image', headers: { 'accept-encoding': 'gzip' } },
    { headers: { 'content-encoding': null }, check: ({ bytes }) => bytes.length === 5000 },
  ],

  ['bodyParser: JSON', post('/parsed/json', '{"a":[1]}'), { status: 200, json: { body: { a: [1] } } }],
  [
    'bodyParser: +json',
    post('/parsed/json', '{"a":1}', { 'content-type': 'application/vnd.api+json; charset=utf-8' }),
    { json: { body: { a: 1 } } },
  ],
  [
    'bodyParser: __proto__ does no harm',
    post('/parsed/json', '{"__proto__":{"polluted":1}}'),
    { check: ({ status }) => status === 200 || status === 400 },
  ],
  ['bodyParser: too large, announced', post('/parsed/json', `"${'x'.repeat(2000)}"`), { status: 413 }],
  [
    'bodyParser: too large, in pieces',
    post('/parsed/json', ['"', 'x'.repeat(900), 'x'.repeat(900), '"']),
    { status: 413 },
  ],
  ['bodyParser: malformed', post('/parsed/json', '{a:1}'), { status: 400 }],
  [
    'bodyParser: still readable',
    post('/parsed/again', '{"a":1}'),
    { json: { body: { a: 1 }, again: { a: 1 }, text: '{"a":1}' } },
  ],
  ['bodyParser: urlencoded', post('/parsed/form', 'a=1&b=2&a=3', AS_FORM), { json: { a: ['1', '3'], b: ['2'] } }],
  [
    'bodyParser: multipart',
    post('/parsed/form', MULTIPART, AS_MULTIPART),
    { json: { title: ['hé'], tag: ['one', 'two'], file: [{ name: 'a.txt', type: 'text/plain', size: 3 }] } },
  ],
  ['a form, read by the context', post('/form', MULTIPART, AS_MULTIPART), { json: ['title', 'tag', 'tag', 'file'] }],
  ['a form without its end', post('/form', MULTIPART.slice(0, -1), AS_MULTIPART), { status: 400 }],
  [
    'bodyParser: text',
    post('/parsed/text', 'plain é', { 'content-type': 'text/plain' }),
    { json: { text: 'plain é' } },
  ],
  [
    'bodyParser: bytes',
    post('/parsed/raw', Buffer.alloc(77), { 'content-type': 'application/octet-stream' }),
    { json: { size: 77 } },
  ],
  [
    'bodyParser: inflated',
    post('/parsed/json', gzipSync('{"zipped":true}'), { ...AS_JSON, 'content-encoding': 'gzip' }),
    { status: 200, json: { body: { zipped: true } } },
  ],
  [
    'parts of a form while it arrives',
    post('/parts', MULTIPART, AS_MULTIPART),
    {
      json: [
        { name: 'title', filename: null, size: 3 },
        { name: 'tag', filename: null, size: 3 },
        { name: 'tag', filename: null, size: 3 },
        { name: 'file', filename: 'a.txt', size: 3 },
      ],
    },
  ],
  [
    'sanitizer: the body',
    post('/clean/body', '{"a":"<script>x</script><b>y</b>"}'),
    { check: ({ text }) => !text.includes('script') && text.includes('<b>y</b>') },
  ],
  [
    'sanitizer: parameters and query',
    `GET /clean/${encodeURIComponent('<i>n')}?q=${encodeURIComponent('<img src=x onerror=y>z')}`,
    { check: ({ text }) => !text.includes('<i') && !text.includes('onerror') && text.includes('z') },
  ],

  [
    'validator: defaults and output',
    post('/valid/user', '{"name":"Ada","email":"ada@example.com","extra":1}'),
    { status: 201, json: { name: 'Ada', email: 'ada@example.com', tags: [] } },
  ],
  [
    'NG2 a validator of JSON leaves the value, and its bytes on Node alone',
    post('/valid/json', '{"name":"Ada","email":"ada@example.com","extra":1}'),
    {
      status: 200,
      check: ({ json }) => {
        const { name, same, bytes } = json()
        return name === 'Ada' && same === 1 && /^(refused|\{"name":"Ada".*)$/.test(bytes)
      },
    },
  ],
  [
    'NG2 a validator of JSON: malformed',
    post('/valid/json', '{"name":'),
    { status: 400, json: { error: 'Invalid JSON' } },
  ],
  ['NG2 a validator of JSON: empty', post('/valid/json', ''), { status: 400, json: { error: 'Invalid JSON' } }],
  [
    'validator: issues',
    post('/valid/user', '{"name":"A","email":"no","tags":["c"],"role":"root"}'),
    {
      status: 422,
      check: ({ json }) =>
        json()
          .issues.map(({ path }) => [path].flat().join('.'))
          .sort()
          .join() === 'email,name,role,tags.0',
    },
  ],
  ['validator: a query', 'GET /valid/page?page=3', { status: 200, json: { page: 3 } }],
  ['validator: a bad query', 'GET /valid/page?page=0', { status: 422 }],

  [
    'apiVersion: by header',
    { line: 'GET /by-header/x', headers: { 'api-version': '2' } },
    { text: 'second', headers: { 'api-version': '2' } },
  ],
  ['apiVersion: none named', 'GET /by-header/x', { text: 'first' }],
  ['apiVersion: unknown', { line: 'GET /by-header/x', headers: { 'api-version': '9' } }, { status: 400 }],
  ['apiVersion: by path', 'GET /v2/by-path', { json: { version: '2', path: '/by-path', from: '/v2/by-path' } }],
  ['apiVersion: unknown path', 'GET /v7/by-path', { status: 404 }],

  [
    'basicAuth: the password',
    { line: 'GET /basic/who', headers: { authorization: `Basic ${btoa('ada:correct horse')}` } },
    { status: 200, json: { name: 'ada' } },
  ],
  ['basicAuth: none', 'GET /basic/who', { status: 401, headers: { 'www-authenticate': /^Basic realm/ } }],
  [
    'bearerAuth: a token',
    { line: 'GET /bearer/who', headers: { authorization: 'Bearer good' } },
    { status: 200, json: { id: 7 } },
  ],
  ['bearerAuth: a bad token', { line: 'GET /bearer/who', headers: { authorization: 'Bearer bad' } }, { status: 401 }],
]

/** What the response methods of `createApp` add. */
export const methodRows = [
  ['X9 ctx.json answers', 'GET /methods/json', { status: 201, json: { by: 'method' } }],
  ['X9 ctx.json reads', post('/methods/json', '{"a":1}'), { status: 200, json: { got: { a: 1 } } }],
  [
    'X11 the methods and the request itself read a body many times',
    post('/methods/many', '{"é":1}'),
    { status: 200, json: { first: '{"é":1}', second: { é: 1 }, bytes: 8, blob: 8, again: '{"é":1}' } },
  ],
  ['X9 ctx.text', 'GET /methods/text', { text: 'by method', headers: { 'x-by': 'method' } }],
  ['X14 ctx.html', 'GET /methods/html', { text: '<b>by method</b>' }],
  ['X14 ctx.redirect', 'GET /methods/redirect', { status: 307, headers: { location: '/there' } }],
  ['X14 ctx.stream', 'GET /methods/stream', { text: 'ab' }],
  ['X14 ctx.sse', 'GET /methods/sse', { text: 'data: by method\n\n' }],
  ['app.request asks the application itself', 'GET /self', { json: { status: 201, body: { created: '9' } } }],
  ['the container', 'GET /container', { json: { now: 17 } }],
]
