import { expect, test } from 'vitest'
import { asyncLocal } from '../../src/runtime/edge/async-local.ts'
import { loadServe, readStream } from '../../src/runtime/edge/core.ts'
import { toNodeHandler } from '../../src/runtime/edge/node-handler.ts'
import { runNodeMiddleware } from '../../src/runtime/edge/node-middleware.ts'
import { peerOf } from '../../src/runtime/edge/request.ts'

test('OP5: on the edge, serve() says what to do', async () => {
  const { serve } = await loadServe()
  await expect(serve(() => new Response(), {})).rejects.toThrow('export default app')
})

test('OP5: on the edge, there are no middleware and handlers of Node', () => {
  expect({ runNodeMiddleware, toNodeHandler }).toEqual({ runNodeMiddleware: undefined, toNodeHandler: undefined })
})

test('MX10: on the edge, a platform with node:async_hooks keeps a value for asynchronous work', async () => {
  const local = asyncLocal<number>('contextStorage')
  const later = async () => {
    await Promise.resolve()
    return local.getStore()
  }
  expect(await Promise.all([local.run(1, later), local.run(2, later)])).toEqual([1, 2])
})

test.each<[string, object, Record<string, string>, string | undefined]>([
  ['the socket that workerd names', { clientIp: '[2001:db8::1]:80' }, {}, '2001:db8::1'],
  ['what is not an address with a port', { clientIp: 'unix' }, {}, undefined],
  ['an address with something behind its port', { clientIp: '192.0.2.1:80x' }, {}, undefined],
  ['the header of Cloudflare', {}, { 'cf-connecting-ip': '192.0.2.2' }, '192.0.2.2'],
  ['nothing', {}, {}, undefined],
])('OP5: on Workers, the address of the client is read from %s', (_, cf, headers, expected) => {
  const request = Object.assign(new Request('http://localhost/', { headers }), { cf })
  expect(peerOf(request, {}, { peer: '192.0.2.9' })).toBe(expected)
})

test.each([
  ['below the limit', 5, 'abcd'],
  ['of the limit', 4, 'abcd'],
  ['above the limit', 3, undefined],
])('MB4: on the edge, a stream %s is read and counted', async (_, limit, expected) => {
  const parts = [new TextEncoder().encode('ab'), new TextEncoder().encode('cd')]
  const stream = new ReadableStream({
    pull(controller) {
      const part = parts.shift()
      if (part) controller.enqueue(part)
      else controller.close()
    },
  })
  const read = readStream(stream, limit).then((bytes) => new TextDecoder().decode(bytes))
  if (expected === undefined) await expect(read).rejects.toMatchObject({ status: 413 })
  else expect(await read).toBe(expected)
  expect(await readStream(null, 0)).toEqual(new Uint8Array())
})
