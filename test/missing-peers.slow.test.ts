import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Module hooks that make Node behave as if a package were not installed. */
const hooksWithout = (name: string): string => {
  const hooks = `export const resolve = (specifier, context, next) => {
    if (specifier !== ${JSON.stringify(name)}) return next(specifier, context)
    throw Object.assign(new Error('Cannot find package ' + JSON.stringify(specifier)), { code: 'ERR_MODULE_NOT_FOUND' })
  }`
  const url = `data:text/javascript,${encodeURIComponent(hooks)}`
  return `data:text/javascript,${encodeURIComponent(`import { register } from 'node:module'; register(${JSON.stringify(url)})`)}`
}

/** Run a program in a process without a package. */
const runWithout = (
  name: string,
  program: string,
): Promise<{ readonly code: number | null; readonly errors: string }> =>
  new Promise((resolve) => {
    const options = ['--conditions=sluice-source', '--import', 'tsx', '--import', hooksWithout(name)]
    const child = spawn(process.execPath, [...options, '--input-type=module', '--eval', program], {
      cwd: root,
      env: { ...process.env, NODE_OPTIONS: '', TSX_TSCONFIG_PATH: `${root}tsconfig.json` },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let errors = ''
    child.stderr.on('data', (chunk) => {
      errors += chunk
    })
    child.once('close', (code) => resolve({ code, errors }))
  })

const secret = "'x'.repeat(32)"

test.each<[string, string, string, string, number?]>([
  [
    'MX3: jwt',
    'jose',
    `import { jwt } from 'sluice/middleware/jwt'; jwt({ algorithms: ['HS256'], secret: ${secret} })`,
    'jwt needs the package jose: npm install jose',
  ],
  [
    'MX3: signJwt',
    'jose',
    `import { signJwt } from 'sluice/jwt'; await signJwt({}, { secret: ${secret}, expiresIn: 60 })`,
    'signJwt needs the package jose: npm install jose',
  ],
  [
    'createDatabase',
    'pg',
    `import { createDatabase } from 'sluice/database'; await createDatabase('postgres://a@127.0.0.1/b').selectFrom('c').selectAll().execute()`,
    'PostgreSQL needs the package pg: npm install pg',
  ],
  [
    'createDatabase',
    'mysql2',
    `import { createDatabase } from 'sluice/database'; await createDatabase('mysql://a@127.0.0.1/b').selectFrom('c').selectAll().execute()`,
    'MySQL needs the package mysql2: npm install mysql2',
  ],
  [
    'WS1: webSocket',
    'ws',
    `import { createApp } from 'sluice'; import { webSocket } from 'sluice/websocket'; import { request } from 'node:http'
    const server = await createApp().get('/', webSocket(() => ({}))).listen({ port: 0, hostname: '127.0.0.1' })
    const headers = { connection: 'upgrade', upgrade: 'websocket', 'sec-websocket-version': '13', 'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==' }
    request({ port: server.port, host: '127.0.0.1', headers }, (response) => process.exit(response.statusCode === 500 ? 1 : 0)).end()`,
    'WebSockets on Node need the package ws: npm install ws',
  ],
  [
    'CH2: natsChannel',
    '@nats-io/jetstream',
    `import { natsChannel } from 'sluice/channel/nats'; await natsChannel({ connection: { request() {} } }).publish('a', '1')`,
    'natsChannel needs the package @nats-io/jetstream: npm install @nats-io/jetstream',
  ],
  [
    'OA10: sluice new --from of a YAML document',
    'yaml',
    `import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs'
    import { tmpdir } from 'node:os'
    import { processOutput } from './generators/output.ts'
    import { run } from './generators/program.ts'
    const cwd = mkdtempSync(tmpdir() + '/sluice-yaml-')
    writeFileSync(cwd + '/api.yaml', 'openapi: 3.1.0')
    const code = await run(['new', 'shop', '--from', 'api.yaml', '--no-install'], { cwd, env: {}, output: processOutput() })
    process.exit(readdirSync(cwd).length === 1 ? code : 70)`,
    '--from: api.yaml is YAML, which needs the package yaml: npm install yaml in this folder, or npx --package sluice --package yaml sluice new …',
    3,
  ],
])(
  '%s without its peer dependency %s ends the process, and says what to install',
  async (_, name, program, message, expected = 1) => {
    const { code, errors } = await runWithout(name, program)
    expect(errors).toContain(message)
    expect(code).toBe(expected)
  },
)
