import { posix } from 'node:path'
import { reachedFrom } from './rollup.production.mjs'

/** Which module goes into which file: a process opens few, since each costs Node as much as 50 kB of code. */

const RUNTIMES = ['bun', 'deno', 'edge', 'node']

const coreOf = (runtime) => `runtime/${runtime}/core`

/** The file of a core may export more than its module, so that it is one file, and not one that exports another. */
export const cores = {
  name: 'cores',
  buildStart() {
    for (const name of RUNTIMES.map(coreOf))
      this.emitFile({ type: 'chunk', id: `src/${name}.ts`, name, preserveSignature: 'allow-extension' })
  },
}

/** Whether an entry has a file of another kind than the rest: see `cores`. */
export const isCore = (name) => RUNTIMES.some((runtime) => name === coreOf(runtime))

export const chunkFileNames = ({ name }) => (isCore(name) ? '[name].js' : 'internal/[name].js')

/** Modules that go into one file beside those of the root. */
const FEATURES = [
  ['openapi', /^internal\/openapi\//],
  ['live', /^internal\/(channel|websocket)\//],
  ['files', /^internal\/(static|cache)\//],
  ['lambda', /^(adapter\/aws-lambda\.ts$|internal\/adapter\/lambda-)/],
  ['markup', /^internal\/markup\//],
  ['database', /^internal\/database\//],
  ['zod3', /^z\/all\//],
  ['mini', /^(z\/mini\.ts$|internal\/z\/mini-)/],
]

/** A package that users install for one module, or a part of the runtime that other modules do not ask for. */
const OF_ONE_MODULE = /^(?![./\0]|node:|#runtime\/core$|#mode$)/

const reachesRuntime = (id, getModuleInfo) =>
  [...reachedFrom(id, getModuleInfo)].some((one) =>
    getModuleInfo(one)?.importedIds.some((imported) => imported.startsWith('#runtime/')),
  )

/**
 * What an application needs is in two files beside that of its runtime: `base`, which the runtime needs too, and
 * `kernel`. Schemas are one file, and the rest of the root another. What a runtime loads for every application is its
 * core; what runtimes share and Node does not need at once has a file for each module, so that no runtime loads one of
 * another.
 */
export const fileOf = (id, { getModuleInfo }) => {
  const name = posix.relative('src', posix.relative(process.cwd(), id))
  if (!name.endsWith('.ts') || name === 'index.ts') return undefined
  const isNeededBy = (...doors) => doors.some((door) => reachedFrom(`src/${door}.ts`, getModuleInfo).has(id))
  const [, runtime, file] = /^runtime\/(\w+)\/(.+)\.ts$/.exec(name) ?? []
  if (RUNTIMES.includes(runtime)) return isNeededBy(coreOf(runtime)) ? coreOf(runtime) : undefined
  if (runtime === 'platform' && !isNeededBy(coreOf('node'))) return `platform-${file}`
  if (getModuleInfo(id).importedIds.some((imported) => OF_ONE_MODULE.test(imported))) return undefined
  const isOfCore = isNeededBy(...RUNTIMES.map(coreOf))
  const isShared = isOfCore || (isNeededBy('z') && isNeededBy('app', 'tiny', 'pipe', 'middleware/validator', 'z/mini'))
  if (isShared && !reachesRuntime(id, getModuleInfo)) return 'base'
  if (isOfCore || isNeededBy('app', 'tiny', 'pipe')) return 'kernel'
  if (isNeededBy('z')) return 'z'
  return isNeededBy('index') ? 'root' : FEATURES.find(([, names]) => names.test(name))?.[0]
}
