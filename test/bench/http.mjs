import { execFile, fork } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

/**
 * CPU time (user + system) of the server process per request, as a ratio of a hand-written `node:http` server: short windows over loopback with wrk,
 * interleaved over all contenders, medians. `node test/bench/http.mjs [case,case] [contender,contender] [rounds]`; BENCH_NODE names another Node.
 */
const run = promisify(execFile)
const here = (path) => fileURLToPath(new URL(path, import.meta.url))
const [
  names = 'text,json,param,post,headers,limit',
  who = 'raw,sluice,fastify,hono,h3,elysia',
  rounds = '7',
  seconds = '1',
] = process.argv.slice(2)
const execPath = process.env.BENCH_NODE ?? process.execPath

const paths = { param: '/users/42?q=hello' }
const script = join(tmpdir(), 'sluice-bench-post.lua')
writeFileSync(
  script,
  `wrk.method = "POST"\nwrk.headers["content-type"] = "application/json"\nwrk.body = '{"name":"Ann","email":"ann@example.com","age":33}'\n`,
)

/** Clock ticks that a process has used; Linux counts 100 a second. */
const cpuOf = (pid) => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10_000
}

const load = async (port, name, duration) => {
  const args = [
    '-t1',
    '-c64',
    `-d${duration}s`,
    ...(name === 'post' ? ['-s', script] : []),
    `http://127.0.0.1:${port}${paths[name] ?? '/'}`,
  ]
  const { stdout } = await run('wrk', args)
  if (/Non-2xx/.test(stdout)) throw new Error(`${name}: ${stdout}`)
  return Number(/(\d+) requests in/.exec(stdout)[1])
}

const start = (contender, name, port) =>
  new Promise((resolve, reject) => {
    const child = fork(here('./http/server.mjs'), [contender, name, String(port)], {
      execPath,
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    children.add(child)
    child.once('message', () => resolve(child))
    child.once('exit', () => reject(new Error(`${contender} ${name} did not start`)))
  })

const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1]

const supports = (contender, name) =>
  contender === 'raw' || new RegExp(`\\b${name}:`).test(readFileSync(here(`./http/${contender}.mjs`), 'utf8'))

const children = new Set()
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL')
})

let port = 4100
for (const name of names.split(',')) {
  const contenders = who.split(',').filter((contender) => supports(contender, name))
  const servers = []
  for (const contender of contenders) {
    port++
    servers.push({ contender, port, child: await start(contender, name, port), costs: [] })
  }
  await sleep(400)
  for (const server of servers) await load(server.port, name, 2)
  for (let round = 0; round < Number(rounds); round++) {
    for (const server of servers) {
      const before = cpuOf(server.child.pid)
      const requests = await load(server.port, name, seconds)
      server.costs.push((cpuOf(server.child.pid) - before) / requests)
    }
  }
  const raw = median(servers[0].costs)
  console.log(
    `${name.padEnd(8)} ${servers.map(({ contender, costs }) => `${contender} ${(raw / median(costs)).toFixed(2)} (${median(costs).toFixed(1)} µs)`).join(' · ')}`,
  )
  for (const { child } of servers) child.kill('SIGKILL')
}
process.exit(0)
