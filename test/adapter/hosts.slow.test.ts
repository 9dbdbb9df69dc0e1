import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { decode, encode, type Format, formats, recorded } from './events.ts'
import { app } from './hosts/app.ts'
import { questions } from './hosts/questions.ts'
import { createRuntimeApi, type Sent } from './hosts/runtime-api.ts'

const here = fileURLToPath(new URL('.', import.meta.url))
const tools = join(here, 'tools')
const installed = existsSync(join(tools, 'node_modules/@vercel/node'))
if (!installed && process.env.SLUICE_REQUIRE_SERVICES === '1') throw new Error(`not installed: ${tools}`)

type Ask = (request: Request) => Promise<Response>
interface Host {
  readonly ask: Ask
  readonly close: () => unknown
}

// Inside of the tools, so that what a platform resolves from there is found
const folder = installed ? mkdtempSync(join(tools, '.test-')) : ''
afterAll(() => installed && rmSync(folder, { recursive: true, force: true }))

/** The application as a user would deploy it: one file, of a program of `hosts` or of a text. */
const bundle = async (name: string, contents = `export * from './${name}.ts'`): Promise<void> => {
  await build({
    stdin: { contents, resolveDir: join(here, 'hosts') },
    outfile: join(folder, 'api', `${name}.mjs`),
    bundle: true,
    format: 'esm',
    platform: 'node',
    // Inside of the tools it is found
    external: ['@netlify/*'],
    conditions: ['sluice-source', 'node'],
    logLevel: 'error',
  })
}

/** A function of Lambda, in a process of Lambda's own runtime for Node.js. */
const startLambda = async (name: string, contents?: string) => {
  await bundle(name, contents)
  const api = await createRuntimeApi()
  const options = ['--require', join(here, 'hosts/rapid-client.cjs')]
  const child = spawn(
    process.execPath,
    [...options, join(tools, 'node_modules/aws-lambda-ric/bin/index.mjs'), `api/${name}.handler`],
    {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, AWS_LAMBDA_RUNTIME_API: api.address },
    },
  )
  const ended = failure(child)
  ended.catch(() => {})
  const invoke = (event: unknown) => Promise.race([api.invoke(event), ended])
  const close = () => {
    stop(child)
    api.close()
  }
  return { invoke, close }
}

/** Rejects when a process ends, so that nobody waits for its answers. */
const failure = async (child: ChildProcess): Promise<never> => {
  const [code] = await once(child, 'exit')
  throw new Error(`The process has ended with ${code}`)
}
const stop = (child: ChildProcess) => child.kill('SIGKILL')

const lambda = (format: Format) => async (): Promise<Host> => {
  const { invoke, close } = await startLambda('lambda')
  const ask: Ask = async (request) => {
    const { kind, body } = await invoke(await encode(request, format))
    expect(kind).toBe('response')
    return decode(JSON.parse(`${body}`))
  }
  return { ask, close }
}

/** A streamed answer, as Lambda's service reads it: the head, eight zero bytes, the body. */
const streamed = ({ kind, headers, trailers, body }: Sent): Response => {
  expect({ kind, mode: headers['lambda-runtime-function-response-mode'], trailers: { ...trailers } }).toEqual({
    kind: 'response',
    mode: 'streaming',
    trailers: {},
  })
  const zeros = body.indexOf(Buffer.alloc(8))
  const head = JSON.parse(`${body.subarray(0, zeros)}`)
  return decode({ ...head, body: body.subarray(zeros + 8).toString('base64'), isBase64Encoded: true })
}
const lambdaStream = async (): Promise<Host> => {
  const { invoke, close } = await startLambda('lambda-stream')
  return { ask: async (request) => streamed(await invoke(await encode(request, 'v2'))), close }
}

/** The file that Netlify's build puts around a function. */
const NETLIFY = `import { getLambdaHandler } from '@netlify/serverless-functions-api'
import * as deployed from './netlify.ts'
export const handler = getLambdaHandler(deployed)`

/** Netlify's runtime, which runs in Lambda's, with the event that its proxy makes of a request: see README.md. */
const netlify = async (): Promise<Host> => {
  const { invoke, close } = await startLambda('netlify', NETLIFY)
  const { ip, geo } = recorded('netlify')
  const ask: Ask = async (request) => {
    const bytes = Buffer.from(await request.arrayBuffer())
    const event = {
      rawUrl: request.url,
      path: new URL(request.url).pathname,
      httpMethod: request.method,
      headers: {
        ...Object.fromEntries(request.headers),
        'x-nf-client-connection-ip': ip,
        'x-nf-geo': Buffer.from(JSON.stringify(geo)).toString('base64'),
        'x-nf-request-id': '01HZ',
      },
      body: bytes.length ? bytes.toString('base64') : undefined,
      isBase64Encoded: true,
      route: '/*',
    }
    return streamed(await invoke(event))
  }
  return { ask, close }
}

/** What `vercel dev` runs for a file of `api`, in a process of its own. */
const vercel = (name: string) => async (): Promise<Host> => {
  await bundle(
    name,
    `export * from './${name}.ts'\n${name === 'vercel-fetch' ? `export { default } from './${name}.ts'` : ''}`,
  )
  const child = spawn(process.execPath, [join(tools, 'node_modules/@vercel/node/dist/dev-server.mjs')], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: { ...process.env, VERCEL_DEV_ENTRYPOINT: `api/${name}.mjs` },
  })
  const ended = failure(child)
  ended.catch(() => {})
  const [{ port }] = (await Promise.race([once(child, 'message'), ended])) as [{ port: number }]
  const ask: Ask = async (request) => {
    const { pathname, search, host } = new URL(request.url)
    const headers = new Headers(request.headers)
    for (const [field, value] of Object.entries(recorded('vercel').headers)) headers.set(field, `${value}`)
    headers.set('x-forwarded-host', host)
    const bytes = await request.arrayBuffer()
    return fetch(`http://127.0.0.1:${port}${pathname}${search}`, {
      method: request.method,
      headers,
      redirect: 'manual',
      ...(bytes.byteLength && { body: bytes }),
    })
  }
  return { ask, close: () => stop(child) }
}

const hosts: [string, () => Promise<Host>, address: string][] = [
  ...formats.map((format): [string, () => Promise<Host>, string] => [
    `Lambda's runtime, ${format}`,
    lambda(format),
    format.startsWith('alb') ? 'undefined' : '192.0.2.1',
  ]),
  ["Lambda's runtime, streamed", lambdaStream, '192.0.2.1'],
  ["Netlify's runtime", netlify, '2001:db8::7'],
  ["Vercel's server, a handler for each method", vercel('vercel'), '192.0.2.7'],
  ["Vercel's server, one fetch", vercel('vercel-fetch'), '192.0.2.7'],
]

/** Fields that no application has set: those of the connection to a server, and those of Netlify's runtime. */
const OF_THE_SERVER = /^(?:date|connection|keep-alive|transfer-encoding|content-length|x-nf-.*)$/
const fieldsOf = ({ headers }: Response) => [...headers].filter(([name]) => !OF_THE_SERVER.test(name))

describe.skipIf(!installed).each(hosts)('OP5: in %s', { timeout: 20_000 }, (name, start, address) => {
  let host: Host
  beforeAll(async () => {
    host = await start()
  })
  afterAll(() => host?.close())

  test.each(questions)('OP5: %s is answered as the application answers', async (_, request) => {
    const expected = await app.fetch(request())
    const got = await host.ask(request())
    expect({ status: got.status, fields: fieldsOf(got) }).toEqual({
      status: expected.status,
      fields: fieldsOf(expected),
    })
    const [bytes, wanted] = await Promise.all([got, expected].map(async (one) => Buffer.from(await one.arrayBuffer())))
    expect(bytes!.equals(wanted!), `${bytes!.subarray(0, 200)}`).toBe(true)
  })

  test('OP5: a repeated name of the query', async () => {
    const response = await host.ask(new Request('https://h.example/users/1?tag=x&tag=y'))
    // A load balancer without lists keeps the last value
    expect(await response.json()).toEqual({ id: '1', tags: name.endsWith(' alb') ? ['y'] : ['x', 'y'] })
  })

  test('OP5: the address of the client is that of the platform', async () => {
    expect(await (await host.ask(new Request('https://h.example/address'))).text()).toBe(address)
  })

  test('OP5: work of waitUntil is done', async () => {
    await (await host.ask(new Request('https://h.example/later'))).text()
    const count = async () => (await host.ask(new Request('https://h.example/done'))).text()
    // Lambda freezes a process between two invocations: the work is done before the next one begins
    if (name.startsWith('Lambda')) expect(await count()).toBe('1')
    else await expect.poll(count, { timeout: 10_000 }).toBe('1')
  })
})
