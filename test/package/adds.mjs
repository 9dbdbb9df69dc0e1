import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { compileForProduction } from '../../rollup.production.mjs'

/**
 * What each middleware adds to an edge bundle of the pipe door that already has a middleware which calls `onResponse`:
 * `node test/package/adds.mjs [name …]`. The second figure is what it adds where another middleware checks its options
 * too, since that code is shared; the third what it adds to a service that also reads JSON and knows its clients'
 * addresses. Bundles the sources, so it needs no build.
 */
const root = fileURLToPath(new URL('../..', import.meta.url))

/**
 * Module below `middleware`, or below the root with a slash; import; how it is made; target of TARGETS.md or of
 * BEYOND §3.
 */
export const ROWS = [
  ['cors', 'cors', 'cors()', 550],
  ['logger', 'logger', 'logger()', 220],
  ['helmet', 'helmet', 'helmet()', 900],
  ['api-version', 'apiVersion', "apiVersion({ versions: ['1'] })", 850],
  ['compression', 'compression', 'compression()', 950],
  ['sanitizer', 'sanitizer', 'sanitizer()', 1000],
  ['validator', 'validator', 'validator({ schema })', 900],
  ['rate-limiter', 'rateLimiter', 'rateLimiter({ max: 1, windowMs: 1 })', 1400],
  ['csrf', 'csrf', 'csrf({ secret })', 2000],
  ['session', 'session', 'session({ secret })', 2100],
]

/** The same for BEYOND §3 and OP1: 900 bytes each unless it says otherwise. */
export const MORE = [
  ['etag', 'etag', 'etag()', 900],
  ['cache', 'cache', 'cache()', 900],
  ['cache-control', 'cacheControl', 'cacheControl({ maxAge: 1 })', 900],
  ['jwt', 'jwt', "jwt({ algorithms: ['HS256'], secret })", 900],
  ['require-scopes', 'requireScopes', "requireScopes('a')", 900],
  ['timeout', 'timeout', 'timeout(1)', 900],
  ['request-id', 'requestId', 'requestId()', 900],
  ['body-limit', 'bodyLimit', 'bodyLimit(1)', 900],
  ['ip-restriction', 'ipRestriction', 'ipRestriction({ allow: [] })', 900],
  ['method-override', 'methodOverride', "methodOverride({ form: 'm' })", 900],
  ['trailing-slash', 'trailingSlash', "trailingSlash('trim')", 900],
  ['pretty-json', 'prettyJson', 'prettyJson()', 900],
  ['server-timing', 'serverTiming', 'serverTiming()', 900],
  ['language', 'language', "language({ supported: ['en'] })", 900],
  ['/context-storage', 'contextStorage', 'contextStorage()', 900],
  ['/proxy', 'proxy', "proxy('http://a.example')", 900],
  ['load-shedding', 'loadShedding', 'loadShedding({ maxConcurrent: 1 })', 900],
  ['idempotency', 'idempotency', "idempotency({ scope: () => '', store: secret })", 900],
  ['webhook', 'webhook', "webhook({ scheme: 'github', secret })", 900],
  ['/static', 'serveStatic', "serveStatic({ root: '.' })", 900],
  ['/html', 'html', '() => html`<p>${secret}`', 900],
  ['/jsx-runtime', 'jsx', "() => jsx('p', {})", 1300],
  ['/accepts', 'accepts', "(ctx) => accepts(ctx, ['json'])", 900],
  ['combine', 'some, every, except', 'some(every(except(secret)))', 900],
  ['/health', 'health', 'health()', 900],
]

/** What the bundle has besides: nothing, the check of options, or also what a service has that reads JSON and tells clients apart. */
const entryOf = (path, name, made, beside) => `
${beside ? `import * as checks from '${root}src/internal/options/check.ts'` : ''}
${beside === 'service' ? "import { clientAddress } from 'sluice/client-address'\nimport { readJson } from 'sluice/read/json'\nimport { refuse } from 'sluice/pipe'" : ''}
import { blank, onResponse, pipe, route, toFetch, use } from 'sluice/pipe'
import { text } from 'sluice/respond/text'
${name ? `import { ${name} } from 'sluice${path.startsWith('/') ? path : `/middleware/${path}`}'` : ''}
const schema = globalThis.schema
const secret = globalThis.secret
export const fetch = pipe(
  blank,
  use((ctx, next) => {
    onResponse(ctx, ['x-one', '1'])
    ${beside ? "checks.checkNames('one', ctx, 'a')\n    checks.checkWhole(ctx, 'one: a', 'b')" : ''}
    ${beside === 'service' ? "if (clientAddress(ctx, { trustProxy: 1 }) === secret) return refuse(ctx, 403, 'no')\n    readJson(ctx)" : ''}
    return next()
  }),
  ${name ? `use(${made}),` : ''}
  route('GET', '/', () => text('hello')),
  toFetch,
)`

/** Sources in place of `dist/edge`: the same modules, compiled for production, without a build. */
const fromSource = {
  name: 'from-source',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^sluice\// }, ({ path }) => ({ path: `${root}src/${path.slice('sluice/'.length)}.ts` }))
    onLoad({ filter: /\/src\/.*\.ts$/ }, async ({ path }) => ({ contents: await compileForProduction(path) }))
  },
}

/** Bytes of a bundle: gzipped, and minified by module. */
export const bundle = async (path, name, made, beside) => {
  const { outputFiles, metafile } = await build({
    stdin: { contents: entryOf(path, name, made, beside), resolveDir: root },
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    conditions: ['sluice-source', 'workerd', 'worker', 'browser'],
    plugins: [fromSource],
    external: ['jose', 'node:async_hooks'],
    metafile: true,
    write: false,
    absWorkingDir: root,
    logLevel: 'error',
  })
  const [{ inputs }] = Object.values(metafile.outputs)
  const sizes = Object.fromEntries(Object.entries(inputs).map(([file, { bytesInOutput }]) => [file, bytesInOutput]))
  return { bytes: gzipSync(outputFiles[0].contents, { level: 9 }).length, sizes }
}

/** Rows as `[name, bytes, bytes beside other checked options, bytes in a service, target]`. */
export const measure = async (rows = ROWS) => {
  const besides = [undefined, 'checks', 'service']
  const bases = await Promise.all(besides.map((beside) => bundle('', '', '', beside)))
  const measured = []
  // One after the other: the machine may be busy with others
  for (const [path, name, made, target] of rows) {
    const sizes = await Promise.all(besides.map((beside) => bundle(path, name, made, beside)))
    measured.push([path, ...sizes.map(({ bytes }, index) => bytes - bases[index].bytes), target])
  }
  return measured
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const names = process.argv.slice(2)
  const rows = await measure([...ROWS, ...MORE].filter(([path]) => !names.length || names.includes(path)))
  for (const [name, bytes, beside, service, target] of rows) {
    const verdict = bytes <= target ? 'reached' : `target missed by ${bytes - target}`
    const figures = [bytes, beside, service].map((one) => `${one}`.padStart(6)).join('')
    console.log(`${name.padEnd(16)}${figures} B  target ${target}  ${verdict}`)
  }
}
