import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { binaries } from '../runtime/binaries.mjs'
import { tool, toolbox } from './workspace.mjs'

/** Which build each tool takes without being told anything: the table of docs/deployment.md. */

const CHECKS = 'development'
const NONE = 'production'

/** Says which build it is part of: only the one for development checks the names of options. */
const PROBE = `import { cors } from 'sluice/middleware/cors'

let build = '${NONE}'
try {
  cors({ orgin: '*' })
} catch {
  build = '${CHECKS}'
}
console.log(build)
`

const run = (command, args, cwd, env = {}) =>
  execFileSync(command, args, {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 120_000,
  }).trim()

const inNode = (folder, file) => run(process.execPath, [file], folder)

/** Esbuild's flags, and what its bundle says when it runs. */
const esbuild = async (folder, options) => {
  const { build } = await tool('esbuild')
  const outfile = join(folder, 'out/esbuild.mjs')
  await build({
    entryPoints: [join(folder, 'probe.mjs')],
    absWorkingDir: folder,
    bundle: true,
    format: 'esm',
    outfile,
    logLevel: 'error',
    ...options,
  })
  return inNode(folder, outfile)
}

const rollup = async (folder, options) => {
  const { rollup } = await tool('rollup')
  const { nodeResolve } = await tool('@rollup/plugin-node-resolve')
  const bundle = await rollup({ input: join(folder, 'probe.mjs'), plugins: [nodeResolve(options)], onwarn() {} })
  await bundle.write({ file: join(folder, 'out/rollup.mjs'), format: 'esm', inlineDynamicImports: true })
  return inNode(folder, 'out/rollup.mjs')
}

const webpack = async (folder, mode) => {
  const { default: webpack } = await tool('webpack')
  const config = {
    mode,
    context: folder,
    entry: './probe.mjs',
    target: 'webworker',
    output: { path: join(folder, 'out'), filename: 'webpack.cjs' },
  }
  await new Promise((resolve, reject) =>
    webpack(config, (error, stats) => (error || stats.hasErrors() ? reject(error ?? stats.toString()) : resolve())),
  )
  return inNode(folder, 'out/webpack.cjs')
}

const viteBuild = async (folder) => {
  const { build } = await tool('vite')
  const lib = { entry: join(folder, 'probe.mjs'), formats: ['es'], fileName: 'vite' }
  await build({
    root: folder,
    configFile: false,
    logLevel: 'error',
    build: { lib, outDir: 'out/vite', emptyOutDir: false },
  })
  return inNode(folder, 'out/vite/vite.js')
}

/** Vite's server for development serves modules to a browser: what counts is the file that it finds. */
const viteDev = async (folder) => {
  const { createServer } = await tool('vite')
  const server = await createServer({
    root: folder,
    configFile: false,
    logLevel: 'error',
    server: { middlewareMode: true, ws: false },
    optimizeDeps: { noDiscovery: true },
  })
  try {
    const { id } = await server.environments.client.pluginContainer.resolveId(
      'sluice/middleware/cors',
      join(folder, 'probe.mjs'),
    )
    return id.includes('/dist/edge/') ? NONE : CHECKS
  } finally {
    await server.close()
  }
}

const wrangler = (folder, env) => {
  writeFileSync(
    join(folder, 'wrangler.json'),
    JSON.stringify({ name: 'probe', main: 'worker.mjs', compatibility_date: '2026-11-01' }),
  )
  const bin = join(toolbox, 'node_modules/wrangler/bin/wrangler.js')
  const args = [bin, 'deploy', '--dry-run', '--outdir', 'out/wrangler']
  run(binaries().node24[0], args, folder, { WRANGLER_SEND_METRICS: 'false', CI: 'true', ...env })
  return inNode(folder, 'out/wrangler/worker.js')
}

const ownBuild = (folder, env) => {
  const bin = join(folder, 'node_modules/sluice/dist/generators/cli.js')
  run(process.execPath, [bin, 'build', 'worker.mjs', '--target', 'workers'], folder, env)
  return inNode(folder, 'build/worker.mjs')
}

const bun = (folder, args) => {
  const [command] = binaries().bun
  run(command, ['build', './probe.mjs', '--outfile', 'out/bun.mjs', ...args], folder)
  return inNode(folder, 'out/bun.mjs')
}

/** `[tool, what it takes, how to find out]`. */
const ROWS = [
  ['Node', CHECKS, (folder) => inNode(folder, 'probe.mjs')],
  ['Bun', CHECKS, (folder) => run(...withFile(binaries().bun), folder)],
  ['Deno', CHECKS, (folder) => run(...withFile(binaries().deno), folder)],
  ['esbuild, platform node', CHECKS, (folder) => esbuild(folder, { platform: 'node' })],
  ['esbuild, platform browser', NONE, (folder) => esbuild(folder, { platform: 'browser' })],
  ['esbuild, condition workerd', NONE, (folder) => esbuild(folder, { conditions: ['workerd'] })],
  [
    'esbuild, conditions workerd and development',
    CHECKS,
    (folder) => esbuild(folder, { conditions: ['workerd', 'development'] }),
  ],
  ['rollup for Node', CHECKS, (folder) => rollup(folder, {})],
  ['rollup for browsers', NONE, (folder) => rollup(folder, { browser: true })],
  ['webpack, mode development', CHECKS, (folder) => webpack(folder, 'development')],
  ['webpack, mode production', NONE, (folder) => webpack(folder, 'production')],
  ['Vite, dev', CHECKS, viteDev],
  ['Vite, build', NONE, viteBuild],
  ['bun build, target browser', CHECKS, (folder) => bun(folder, ['--target=browser'])],
  ['bun build, target browser, --production', NONE, (folder) => bun(folder, ['--target=browser', '--production'])],
  ['wrangler deploy', NONE, (folder) => wrangler(folder)],
  [
    'wrangler, WRANGLER_BUILD_CONDITIONS=development,workerd,worker,browser',
    CHECKS,
    (folder) => wrangler(folder, { WRANGLER_BUILD_CONDITIONS: 'development,workerd,worker,browser' }),
  ],
  ['sluice build --target workers', NONE, (folder) => ownBuild(folder, {})],
  [
    'sluice build --target workers, run by wrangler dev',
    CHECKS,
    (folder) => ownBuild(folder, { WRANGLER_COMMAND: 'dev' }),
  ],
]

const withFile = ([command, ...args]) => [command, [...args, 'probe.mjs']]

/** Tools that take another build than the table says, and rows that docs/deployment.md lacks. */
export const wrongBuilds = async ({ folder }, page) => {
  mkdirSync(join(folder, 'out'), { recursive: true })
  writeFileSync(join(folder, 'probe.mjs'), PROBE)
  writeFileSync(join(folder, 'worker.mjs'), `${PROBE}export default { fetch: () => new Response(build) }\n`)
  const findings = []
  for (const [name, expected, find] of ROWS) {
    // Vite sets it for the whole process
    delete process.env.NODE_ENV
    const found = await find(folder)
    if (found !== expected) findings.push(`${name}: ${found}, expected ${expected}`)
    if (!page.includes(`| ${name} | ${expected} |`))
      findings.push(`docs/deployment.md lacks the row: ${name} | ${expected}`)
  }
  return findings
}
