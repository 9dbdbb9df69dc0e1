import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { binaries } from '../runtime/binaries.mjs'
import { rows } from './rows.mjs'

const here = (path) => fileURLToPath(new URL(path, import.meta.url))
const children = new Set()
const folder = mkdtempSync(join(tmpdir(), 'sluice-bench-'))
// An exit by a signal would leave the servers behind
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})
let lastPort = 24_100

/** Whether a contender has a row on a runtime. */
export const supports = (runtime, contender, name) => {
  // A request of workerd cannot write to the stream of another
  if (runtime === 'workerd' && name === 'sse') return false
  if (!runtime.startsWith('node') && (rows[name].node || contender === 'fastify')) return false
  return new RegExp(`\\b${name}:`).test(readFileSync(here(`./http/${contender}.mjs`), 'utf8'))
}

const workerd = async (command, contender, name, port) => {
  const id = `${contender}-${name}`
  await build({
    entryPoints: [here('./web/worker.mjs')],
    outfile: join(folder, `${id}.js`),
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    conditions: ['workerd', 'worker', 'browser'],
    // What only the other runtimes call
    external: ['node:*', '@hono/node-server', '@elysiajs/node', 'crypto', 'fs', 'path', 'util', 'stream'],
    define: { CONTENDER: `'${contender}'`, ROW: `'${name}'` },
    logLevel: 'error',
  })
  writeFileSync(
    join(folder, `${id}.capnp`),
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "app", worker = (
    modules = [(name = "worker", esModule = embed "${id}.js")],
    compatibilityDate = "2026-01-01", compatibilityFlags = ["nodejs_compat"]))],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "app")]
);
`,
  )
  return [command, 'serve', join(folder, `${id}.capnp`)]
}

/** For rows that a GET does not fit: that somebody listens is enough. */
const connected = (port) =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy()
      resolve({ headers: new Headers() })
    })
    socket.once('error', reject)
  })

/** Start a contender. Without a path it is not asked for anything. @returns its process, its port, and its answer to a first request, or undefined if it does not start */
export const start = async (runtime, contender, name, path) => {
  const port = ++lastPort
  const [command, ...before] =
    process.env.BENCH_NODE && runtime === 'node' ? [process.env.BENCH_NODE] : binaries()[runtime]
  const args = [contender, name, `${port}`]
  const [file, ...rest] =
    runtime === 'workerd'
      ? await workerd(command, contender, name, port)
      : [command, ...before, here(runtime.startsWith('node') ? './http/server.mjs' : './web/server.mjs'), ...args]
  let complaint = ''
  const child = spawn(file, rest, { stdio: ['ignore', 'ignore', 'pipe'] })
  child.stderr.on('data', (chunk) => {
    complaint = (complaint + chunk).slice(0, 2_000)
  })
  children.add(child)
  const stop = () => {
    children.delete(child)
    child.kill('SIGKILL')
  }
  for (let attempt = 0; attempt < 200 && child.exitCode === null; attempt++) {
    const answer = await (path ? fetch(`http://127.0.0.1:${port}${path}`) : connected(port)).catch(() => undefined)
    if (answer) {
      await answer.arrayBuffer?.()
      return { contender, port, pid: child.pid, headers: answer.headers, stop, costs: [] }
    }
    await sleep(50)
  }
  console.log(`${runtime} ${name}: ${contender} does not start: ${complaint.trim().slice(0, 300)}`)
  stop()
  return undefined
}

/** CPU microseconds, user and system, that a process has used; Linux counts 100 ticks a second. */
export const cpuOf = (pid) => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10_000
}
