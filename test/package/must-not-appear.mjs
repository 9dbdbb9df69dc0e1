import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

/**
 * What no edge bundle holds: modules of Node, its globals, code from strings, and what only servers run: the bodies
 * that Bun and Deno read at once.
 */
const FORBIDDEN = [
  /\bnode:/,
  /\bBuffer\b/,
  /(?<![.\w$])process\b/,
  /\bnew Function\b/,
  /(?<![.\w$])eval\s*\(/,
  /\b(Bun|Deno)\.[a-z]/,
  /transfer-encoding/,
]

/** Features by a text that stands in their code and nowhere else. Names do not survive a bundler, texts do. */
const MARKS = {
  cors: 'access-control-allow-',
  helmet: 'x-frame-options',
  csrf: 'Invalid CSRF token',
  'rate limiter': 'Too many requests',
  'api version': 'Unsupported API version',
  cookies: 'HttpOnly',
  compression: 'accept-encoding',
  'response edits': 'set-cookie',
  'path patterns of middleware': '(/.*)?',
  'reading forms': 'multipart\\/form-data',
  'server-sent events': 'text/event-stream',
  redirects: 'location',
  'method not allowed': 'Method Not Allowed',
  'z, strings': 'too_small',
  'z, dates': 'invalid_date',
  'z, unions by key': 'invalid_union_discriminator',
  'z, native enums': 'nativeEnum',
  database: 'Kysely',
}

/** Entries of the size budget, and the features that each is for. */
export const ENTRIES = {
  router: [],
  pipe: ['response edits'],
  'pipe-cors': ['cors', 'response edits'],
  'pipe-validated': ['cors', 'helmet', 'response edits', 'reading forms', 'z, strings', 'z, dates'],
  tiny: ['response edits', 'path patterns of middleware', 'reading forms', 'redirects'],
  'create-app': [
    'response edits',
    'path patterns of middleware',
    'reading forms',
    'redirects',
    'server-sent events',
    'method not allowed',
  ],
  'z-object': ['z, strings', 'z, dates'],
}

/** Features whose texts stand in a bundle, beside those that its entry is for. */
export const strangersIn = (entry, code) =>
  Object.entries(MARKS)
    .filter(([feature, text]) => code.includes(text) && !ENTRIES[entry].includes(feature))
    .map(([feature]) => `${entry} holds ${feature}`)

/** Bundle an entry for the edge. */
const bundle = async (entry) => {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL(`./entries/${entry}.mjs`, import.meta.url))],
    absWorkingDir: fileURLToPath(new URL('../..', import.meta.url)),
    bundle: true,
    minify: true,
    // The repository's own `paths` lead to the sources
    tsconfigRaw: '{}',
    format: 'esm',
    conditions: ['workerd', 'worker', 'browser'],
    write: false,
  })
  return outputFiles[0].text
}

/** What is wrong with the bundle of an entry: an empty list if nothing is. */
const findings = async (entry) => {
  const code = await bundle(entry)
  const forbidden = FORBIDDEN.filter((pattern) => pattern.test(code))
  return [...forbidden.map((pattern) => `${entry} holds ${pattern.exec(code)[0]}`), ...strangersIn(entry, code)]
}

/** All findings of all entries, and the texts that mark nothing any more. */
export const allFindings = async () => {
  const everything = await bundle('everything')
  const lost = Object.entries(MARKS).filter(([feature, text]) => feature !== 'database' && !everything.includes(text))
  const found = await Promise.all(Object.keys(ENTRIES).map(findings))
  return [...lost.map(([feature, text]) => `${feature}: no code holds ${text}`), ...found.flat()]
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const found = await allFindings()
  console.log(
    found.length ? found.join('\n') : `${Object.keys(ENTRIES).length} edge bundles hold nothing that must not appear`,
  )
  process.exitCode = found.length ? 1 : 0
}
