import { readdirSync, writeFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { build } from 'esbuild'
import { logOf, start, within } from './child.mjs'

/** Bundle a module as a worker's bundler does. */
const bundle = (folder, entry, outfile, options) =>
  build({
    absWorkingDir: folder,
    entryPoints: [entry],
    outfile: join(folder, outfile),
    bundle: true,
    format: 'esm',
    target: 'es2022',
    conditions: ['workerd', 'worker', 'browser'],
    logLevel: 'error',
    ...options,
  })

/** Every public subpath of a built package, by its files. */
export const subpathsOf = (packageFolder) => {
  const dist = join(packageFolder, 'dist')
  return readdirSync(dist, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.js'))
    .map((entry) => relative(dist, join(entry.parentPath, entry.name)).replaceAll('\\', '/').replace(/\.js$/, ''))
    .filter((path) => !/^(edge|internal|runtime|generators|z\/all)\//.test(path))
    .map((path) => (path === 'index' ? 'sluice' : `sluice/${path}`))
    .sort()
}

/** A worker that imports all of it at module scope and says how much it found. */
const importAll = (subpaths) => `
${subpaths.map((subpath, index) => `import * as m${index} from '${subpath}'`).join('\n')}
const modules = { ${subpaths.map((subpath, index) => `'${subpath}': m${index}`).join(', ')} }
import { hashed } from './app.mjs'
const names = Object.entries(modules).map(([subpath, module]) => [subpath, Object.keys(module).length])
export default { fetch: () => Response.json(Object.fromEntries(names)) }
export const passwords = { fetch: async () => Response.json(await hashed()) }
`

const service = (name, module, flags, more = '') => `(
  name = "${name}",
  worker = (
    modules = [ (name = "worker", esModule = embed "${module}") ],
    compatibilityDate = "2026-01-01",
    compatibilityFlags = [${flags}],
    bindings = [ (name = "GREETING", text = "hello from the environment") ]${more}
  )
)`

const config = (edge, node) => `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [ ${service('app', 'app.js', '')}, ${service('edge', basename(edge), '')}, ${service('example', 'example.js', '')}, ${service('node', basename(node), '"nodejs_compat"')} ],
  sockets = [
    ( name = "createApp", address = "127.0.0.1:0", http = (), service = "app" ),
    ( name = "pipe", address = "127.0.0.1:0", http = (), service = (name = "app", entrypoint = "pipeDoor") ),
    ( name = "importAll", address = "127.0.0.1:0", http = (), service = "edge" ),
    ( name = "example", address = "127.0.0.1:0", http = (), service = "example" ),
    ( name = "importNode", address = "127.0.0.1:0", http = (), service = "node" ),
    ( name = "passwords", address = "127.0.0.1:0", http = (), service = (name = "node", entrypoint = "passwords") )
  ]
);
`

/** Subpaths that stand on `node:*`, which workerd has behind its flag `nodejs_compat`. */
const needsNode = (subpath) => /^sluice\/database/.test(subpath)

/**
 * Bundle the workers into a folder and serve them.
 *
 * @returns origins by socket, and the subpaths that each of the two importing workers should report
 */
export const startWorkerd = async ([command], folder, example) => {
  const subpaths = subpathsOf(join(folder, 'node_modules/sluice'))
  const onEdge = subpaths.filter((subpath) => !needsNode(subpath))
  const drivers = ['pg', 'mysql2', '@photostructure/sqlite', 'bun:sqlite', 'node:*']
  writeFileSync(join(folder, 'import-edge.mjs'), importAll(onEdge))
  writeFileSync(join(folder, 'import-node.mjs'), importAll(subpaths))
  await bundle(folder, 'worker.mjs', 'app.js')
  await bundle(folder, example, 'example.js')
  await bundle(folder, 'import-edge.mjs', 'import-edge.js')
  await bundle(folder, 'import-node.mjs', 'import-node.js', { external: drivers })
  writeFileSync(join(folder, 'config.capnp'), config('import-edge.js', 'import-node.js'))
  const log = logOf(folder, 'workerd')
  const child = start(command, ['serve', 'config.capnp', '--control-fd=3'], {
    cwd: folder,
    stdio: ['ignore', log, log, 'pipe'],
  })
  const origins = {}
  const listening = new Promise((resolve, reject) => {
    let text = ''
    child.once('exit', (code) => reject(new Error(`workerd has exited with ${code}`)))
    child.stdio[3].on('data', (chunk) => {
      text += chunk
      for (const [, line] of text.matchAll(/(\{.*\})\n/g)) {
        const { event, socket, port } = JSON.parse(line)
        if (event === 'listen') origins[socket] = `http://127.0.0.1:${port}`
      }
      if (Object.keys(origins).length === 6) resolve()
    })
  })
  await within(30_000, listening, 'workerd')
  return { origins, onEdge, subpaths, stop: () => child.kill('SIGKILL') }
}
