import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

/** What no edge bundle holds: modules of Node, its globals, and code from strings. */
const FORBIDDEN = [
  /\bnode:/,
  /\bBuffer\b/,
  /(?<![.\w$])process\b/,
  /\bnew Function\b/,
  /(?<![.\w$])eval\s*\(/,
  /\b(Bun|Deno)\.[a-z]/,
]

/** Modules that an entry may hold besides the kernel; everything else of these folders must not be in its bundle. */
const OPTIONAL =
  /^dist\/(middleware|z|stores|database|providers|facades|container|generators|respond|rate-limit|runtime)\/|^dist\/(cookie|session|facade|container|z|multipart|client-address|app)\.js$/

const edge = ['runtime/edge', 'runtime/platform']
const zObject = ['z/']
const app = ['app.js', 'container.js', 'providers/', 'respond/']

/** Entries of the size budget, and the optional modules that each is for. */
export const ENTRIES = {
  router: [],
  pipe: [...edge, 'respond/text'],
  'pipe-cors': [...edge, 'respond/text', 'middleware/cors'],
  'pipe-validated': [...edge, 'respond/json', 'middleware/cors', 'middleware/helmet', ...zObject],
  'create-app': [...edge, ...app],
  'z-object': zObject,
}

/** Schema types that three fields of an object do not need. */
const OTHER_SCHEMAS =
  /^dist\/z\/(bigint|coerce|date|discriminated-union|enum|lazy|literal|map|native-enum|record|set|tuple|union|json-schema|locales\/.*)\.js$/

/** Bundle an entry for the edge. @returns the code, and the package's modules that contribute to it */
const bundle = async (entry) => {
  const { outputFiles, metafile } = await build({
    entryPoints: [fileURLToPath(new URL(`./entries/${entry}.mjs`, import.meta.url))],
    absWorkingDir: fileURLToPath(new URL('../..', import.meta.url)),
    bundle: true,
    minify: true,
    format: 'esm',
    conditions: ['workerd', 'worker', 'browser'],
    metafile: true,
    write: false,
  })
  const [{ inputs }] = Object.values(metafile.outputs)
  const modules = Object.keys(inputs).filter((name) => inputs[name].bytesInOutput > 0 && name.startsWith('dist/'))
  return { code: outputFiles[0].text, modules }
}

/** What is wrong with the bundle of an entry: an empty list when nothing is. */
export const findings = async (entry, allowed) => {
  const { code, modules } = await bundle(entry)
  const unused = modules.filter(
    (name) =>
      (OPTIONAL.test(name) && !allowed.some((one) => name.startsWith(`dist/${one}`))) ||
      (allowed === zObject && OTHER_SCHEMAS.test(name)),
  )
  return [
    ...FORBIDDEN.filter((pattern) => pattern.test(code)).map((pattern) => `${entry} holds ${pattern.exec(code)[0]}`),
    ...unused.map((name) => `${entry} holds ${name}`),
  ]
}

/** All findings of all entries. */
export const allFindings = async () => {
  const lists = await Promise.all(Object.entries(ENTRIES).map(([entry, allowed]) => findings(entry, allowed)))
  return lists.flat()
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const found = await allFindings()
  console.log(
    found.length ? found.join('\n') : `${Object.keys(ENTRIES).length} edge bundles hold nothing that must not appear`,
  )
  process.exitCode = found.length ? 1 : 0
}
