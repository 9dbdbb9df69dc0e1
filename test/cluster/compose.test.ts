import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { freePort } from '../free-port.mjs'
import { describeService } from '../services.ts'

const root = resolve(import.meta.dirname, '../..')
const here = join(root, 'examples/cluster')

interface Service {
  readonly command: readonly string[]
  readonly network_mode: string
  readonly working_dir?: string
  readonly volumes?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  readonly depends_on?: readonly string[]
}

/** A path in a container as the one of this machine that is mounted there. */
const outside = (text: string, volumes: readonly string[] = []): string => {
  for (const volume of volumes) {
    const [from, to] = volume.split(':') as [string, string]
    if (text === to || text.startsWith(`${to}/`)) return resolve(here, from) + text.slice(to.length)
  }
  return text
}

const answered = async (url: string): Promise<Response> => {
  const end = Date.now() + 30_000
  for (;;) {
    const response = await fetch(url).catch(() => undefined)
    if (response && response.status < 500) return response
    if (Date.now() > end) throw new Error(`Nothing answers at ${url}`)
    await new Promise((wake) => setTimeout(wake, 100))
  }
}

/** Docker is not needed: each command of the file runs here, with other ports and the folders that it would see. */
describeService('redis', 'examples/cluster/compose.yaml', () => {
  test('the commands of its three services, in their order, are the example: an event goes through the proxy', async () => {
    const { services } = parse(readFileSync(join(here, 'compose.yaml'), 'utf8')) as {
      services: Readonly<Record<string, Service>>
    }
    expect(Object.keys(services)).toEqual(['redis', 'server', 'proxy'])
    expect(Object.values(services).map(({ network_mode }) => network_mode)).toEqual(['host', 'host', 'host'])
    const folder = mkdtempSync(join(tmpdir(), 'sluice-compose-'))
    const ports = new Map<string, string>()
    for (const port of ['3000', '6379', '8080']) ports.set(port, `${await freePort()}`)
    const moved = (text: string): string => text.replace(/\b(?:3000|6379|8080)\b/, (port) => ports.get(port)!)
    cpSync(here, folder, { recursive: true })
    const conf = readFileSync(join(here, 'nginx.conf'), 'utf8')
    writeFileSync(join(folder, 'nginx.conf'), conf.split('\n').map(moved).join('\n'))
    const running: [string, ChildProcess][] = []
    try {
      for (const [name, { command, working_dir, volumes, environment, depends_on = [] }] of Object.entries(services)) {
        for (const needed of depends_on) expect(running.map(([known]) => known)).toContain(needed)
        const [program, ...args] = command
          .map((word) => outside(word, volumes))
          // The folder of the proxy has other ports, and its prefix would be shared with others of this machine
          .map((word) => (word === '/tmp' ? folder : word.replace(`${here}/nginx.conf`, join(folder, 'nginx.conf'))))
        const variables = Object.entries(environment ?? {}).map(([key, value]) => [key, moved(value)])
        const child = spawn(program!, args.map(moved), {
          cwd: working_dir ? outside(working_dir, volumes) : folder,
          env: { ...process.env, NODE_OPTIONS: '', ...Object.fromEntries(variables) },
          stdio: ['ignore', 'ignore', 'inherit'],
        })
        running.push([name, child])
        if (name === 'server') await answered(`http://127.0.0.1:${ports.get('3000')}/`)
      }
      const base = `http://127.0.0.1:${ports.get('8080')}`
      expect((await answered(`${base}/`)).status).toBe(200)
      const events = await fetch(`${base}/live/news`)
      const reader = events.body!.pipeThrough(new TextDecoderStream()).getReader()
      await reader.read()
      const headers = { 'content-type': 'application/json' }
      const sent = await fetch(`${base}/live/news`, { method: 'POST', body: '"hello"', headers })
      expect(sent.status).toBe(201)
      expect((await reader.read()).value).toContain('data: "hello"')
      await reader.cancel()
    } finally {
      for (const [, child] of running.toReversed()) {
        if (child.exitCode !== null || child.pid === undefined) continue
        child.kill('SIGTERM')
        await once(child, 'exit')
      }
      rmSync(folder, { recursive: true, force: true })
    }
    const exitCodes = Object.fromEntries(running.map(([name, { exitCode }]) => [name, exitCode]))
    expect(exitCodes).toEqual({ redis: 0, server: 0, proxy: 0 })
  }, 90_000)
})
