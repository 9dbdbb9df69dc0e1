import { execFile, spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { binaries } from '../runtime/binaries.mjs'

/**
 * As `http.mjs`, on Bun and Deno: CPU time of the server per request as a ratio of a hand-written server, with wrk, interleaved, medians.
 * `node test/bench/runtimes.mjs [bun|deno] [case,case] [contender,contender] [rounds]`
 */
const execute = promisify(execFile)
const [runtime = 'bun', names = 'text,json,param,post,headers', who = 'raw,sluice,hono,h3,elysia', rounds = '5'] =
  process.argv.slice(2)
const [command, ...before] = binaries()[runtime]
const server = fileURLToPath(new URL('./web/server.mjs', import.meta.url))
const paths = { param: '/users/42?q=hello' }
const script = join(tmpdir(), 'sluice-bench-web.lua')
writeFileSync(
  script,
  `wrk.method = "POST"\nwrk.headers["content-type"] = "application/json"\nwrk.body = '{"name":"Ann","email":"ann@example.com","age":33}'\n`,
)
const children = new Set()
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL')
})

/** CPU microseconds that a process has used; Linux counts 100 ticks a second. */
const cpuOf = (pid) => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10_000
}

const load = async (port, name) => {
  const more = name === 'post' ? ['-s', script] : []
  const { stdout } = await execute('wrk', [
    '-t1',
    '-c64',
    '-d1s',
    ...more,
    `http://127.0.0.1:${port}${paths[name] ?? '/'}`,
  ])
  if (/Non-2xx/.test(stdout)) throw new Error(`${name}: ${stdout}`)
  return Number(/(\d+) requests in/.exec(stdout)[1])
}

const answers = async (port) => {
  for (let attempt = 0; attempt < 100; attempt++) {
    const reached = await fetch(`http://127.0.0.1:${port}/`).then(
      () => true,
      () => false,
    )
    if (reached) return true
    await sleep(50)
  }
  return false
}

const start = async (contender, name, port) => {
  const child = spawn(command, [...before, server, contender, name, String(port)], { stdio: 'ignore' })
  children.add(child)
  if (await answers(port)) return { contender, port, child, costs: [] }
  child.kill('SIGKILL')
  return undefined
}

const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1]

let port = 4700
for (const name of names.split(',')) {
  const servers = []
  for (const contender of who.split(',')) {
    port++
    const started = await start(contender, name, port)
    if (started) servers.push(started)
  }
  for (const one of servers) await load(one.port, name)
  for (let round = 0; round < Number(rounds); round++) {
    for (const { child, port: at, costs } of servers) {
      const used = cpuOf(child.pid)
      const requests = await load(at, name)
      costs.push((cpuOf(child.pid) - used) / requests)
    }
  }
  const raw = median(servers[0].costs)
  const shown = servers.map(
    ({ contender, costs }) => `${contender} ${(raw / median(costs)).toFixed(2)} (${median(costs).toFixed(1)} µs)`,
  )
  console.log(`${runtime} ${name.padEnd(8)} ${shown.join(' · ')}`)
  for (const { child } of servers) child.kill('SIGKILL')
}
process.exit(0)
