/**
 * The parts of the source that `npm run mutate` changes, with everything below their folders, and the tests that are
 * related to them.
 */
const fast = 'test/*.test.ts'
const kernel = [
  fast,
  'test/{advisories,contract,foundation,kernel,respond}/**/*.test.ts',
  'test/middleware/{cache,combine,edit-inner,idempotency,passes,timeout}.test.ts',
]
const middleware = [
  'test/{container,foundation,middleware}/**/*.test.ts',
  'test/advisories/{f7-*,review-of-middleware}.test.ts',
  'test/openapi/{document,steps}.test.ts',
  'test/{middleware-contract,options,refuse*}.test.ts',
  'test/stores/*.test.ts',
]

/** @type {Readonly<Record<string, { readonly folders: readonly string[], readonly tests: readonly string[] }>>} */
export const SHARDS = {
  kernel: { folders: ['src/kernel'], tests: kernel },
  route: { folders: ['src/internal/route', 'src/internal/error'], tests: kernel },
  header: {
    folders: ['src/internal/header'],
    tests: [
      'test/{accepts,static,proxy,growth,html,problem-json}.test.ts',
      'test/internal/*.test.ts',
      'test/middleware/{cache*,compression,cors,etag,helmet,jwt,language,rate-limiter*,security-headers,server-timing}.test.ts',
      'test/static/**/*.test.ts',
    ],
  },
  body: {
    folders: ['src/internal/body', 'src/internal/stream', 'src/internal/cookie', 'src/read'],
    tests: [
      fast,
      'test/{internal,contract,read}/**/*.test.ts',
      'test/edge/{validator,without-sockets}.test.ts',
      'test/middleware/{body,pretty-json,session,validator}*.test.ts',
      'test/advisories/*.test.ts',
    ],
  },
  node: {
    folders: ['src/runtime/node', 'src/runtime/platform'],
    tests: [
      fast,
      'test/{advisories,edge,node,static}/**/*.test.ts',
      'test/internal/{compression-stream,digest,whole-body}.test.ts',
      'test/middleware/{compression,etag}.test.ts',
    ],
  },
  // And all of `behavioural.ts`, which hold on the platform's own classes too
  edge: {
    folders: ['src/runtime/edge'],
    tests: [
      'test/router.test.ts',
      'test/edge/*.test.ts',
      'test/advisories/{refused-handshake,sse-slow-client}.test.ts',
      'test/env/env.test.ts',
      'test/foundation/facade.test.ts',
      'test/internal/{digest,whole-body}.test.ts',
      'test/static/assets.test.ts',
    ],
  },
  middleware: { folders: ['src/middleware'], tests: middleware },
  z: { folders: ['src/z'], tests: ['test/z/**/*.test.ts'] },
  'z-inside': {
    folders: ['src/internal/z'],
    tests: ['test/z/**/*.test.ts', 'test/advisories/f14-*.test.ts', 'test/openapi/{document,described-output}.test.ts'],
  },
  database: {
    folders: ['src/database', 'src/internal/database'],
    tests: ['test/database/**/*.test.ts', 'test/advisories/f13-*.test.ts'],
  },
}
