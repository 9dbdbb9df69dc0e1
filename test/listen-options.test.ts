import { describe, expect, test } from 'vitest'
import { createApp } from '../src/app.ts'
import { text } from '../src/respond/text.ts'
import { checkListen } from '../src/runtime/platform/listen-options.ts'
import type { ListenOptions } from '../src/runtime/serve-contract.ts'
import { serve } from '../src/serve.ts'
import { cert, key } from './node/certificate.ts'

const local = { port: 0, hostname: '127.0.0.1' }
const PORT = 'listen: port: expected a whole number from 0 to 65535 (0 lets the system choose), got '
const MS = 'expected a whole number of milliseconds from 0 to 2147483647, got '

const bad: [options: Record<string, unknown>, message: string][] = [
  [{ port: '' }, `${PORT}""`],
  [{ port: '3000' }, `${PORT}"3000"`],
  [{ port: Number.NaN }, `${PORT}NaN`],
  [{ port: null }, `${PORT}null`],
  [{ port: -1 }, `${PORT}-1`],
  [{ port: 65_536 }, `${PORT}65536`],
  [{ port: 80.5 }, `${PORT}80.5`],
  [{ hostname: '' }, 'listen: hostname: expected an address or a name such as "127.0.0.1", got ""'],
  [{ hostname: 127 }, 'listen: hostname: expected an address or a name such as "127.0.0.1", got 127'],
  [{ path: '' }, 'listen: path: expected the path of a unix socket, got ""'],
  [{ tls: true }, 'listen: tls: expected an object with key and cert in PEM, got "boolean"'],
  [{ tls: { key } }, 'listen: tls: expected an object with key and cert in PEM, got "object"'],
  [{ http2: true }, 'listen: http2: expected tls as well: browsers speak HTTP/2 over TLS only, got true'],
  [{ signal: new AbortController() }, 'listen: signal: expected an AbortSignal, got {'],
  [{ graceMs: -1 }, `listen: graceMs: ${MS}-1`],
  [{ graceMs: '10s' }, `listen: graceMs: ${MS}"10s"`],
  [{ graceMs: Number.POSITIVE_INFINITY }, `listen: graceMs: ${MS}Infinity`],
  [{ requestTimeoutMs: Number.NaN }, `listen: requestTimeoutMs: ${MS}NaN`],
  [{ headersTimeoutMs: 2 ** 31 }, `listen: headersTimeoutMs: ${MS}2147483648`],
  [{ keepAliveTimeoutMs: null }, `listen: keepAliveTimeoutMs: ${MS}null`],
  [{ sendTimeoutMs: [] }, `listen: sendTimeoutMs: ${MS}[]`],
  [{ graceMs: 1000 / 3 }, `listen: graceMs: ${MS}333.3333333333333`],
  [{ requestTimeoutMs: 1.5 }, `listen: requestTimeoutMs: ${MS}1.5`],
  [{ sendTimeoutMs: 0.5 }, `listen: sendTimeoutMs: ${MS}0.5`],
  [{ workers: 0 }, 'listen: workers: expected "auto" or a whole number from 1 to 1024, got 0'],
  [{ workers: 1025 }, 'listen: workers: expected "auto" or a whole number from 1 to 1024, got 1025'],
  [{ workers: 1.5 }, 'listen: workers: expected "auto" or a whole number from 1 to 1024, got 1.5'],
  [{ workers: 'all' }, 'listen: workers: expected "auto" or a whole number from 1 to 1024, got "all"'],
  [{ prot: 1 }, 'listen: prot: unknown option, did you mean "port"?'],
  [{ host: '127.0.0.1' }, 'listen: host: unknown option, expected one of port, '],
]

describe('P24: bad options of listen', () => {
  test.each(bad)('serve(%j) rejects', async (options, message) => {
    const refused = serve(() => text('ok'), { ...local, ...options } as never)
    await expect(refused).rejects.toThrow(TypeError)
    await expect(refused).rejects.toThrow(message)
  })

  test.each(bad)('app.listen(%j) rejects', async (options, message) => {
    const refused = createApp().listen({ ...local, ...options } as never)
    await expect(refused).rejects.toThrow(message)
  })

  test.each(['', '3000', Number.NaN])('app.listen(%j), as from an environment without PORT, rejects', async (port) => {
    await expect(createApp().listen(port as never)).rejects.toThrow(PORT)
  })
})

test.each<NonNullable<ListenOptions['workers']>>(['auto', 1, 1024])('workers: %s is a good number', (workers) => {
  expect(checkListen({ workers })).toBeUndefined()
})

test.each([
  { ...local },
  { ...local, path: undefined, tls: undefined, http2: false, signal: undefined, env: {} } as never,
  { ...local, graceMs: 0, requestTimeoutMs: 0, headersTimeoutMs: 0, keepAliveTimeoutMs: 0, sendTimeoutMs: 0 },
  { ...local, tls: { key, cert }, http2: true, requestTimeoutMs: 2 ** 31 - 1 },
])('good options %# listen', async (options) => {
  const server = await serve(() => text('ok'), options)
  expect(server.port).toBeGreaterThan(0)
  await server.close()
})
