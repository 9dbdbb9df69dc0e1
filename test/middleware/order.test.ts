import { describe, expect, test } from 'vitest'
import { apiVersion } from '../../src/middleware/api-version.ts'
import { bodyParser } from '../../src/middleware/body-parser.ts'
import { compression } from '../../src/middleware/compression.ts'
import { cors } from '../../src/middleware/cors.ts'
import { csrf } from '../../src/middleware/csrf.ts'
import { helmet } from '../../src/middleware/helmet.ts'
import { logger } from '../../src/middleware/logger.ts'
import { rateLimiter } from '../../src/middleware/rate-limiter.ts'
import { sanitizer } from '../../src/middleware/sanitizer.ts'
import { session } from '../../src/middleware/session.ts'
import { json } from '../../src/respond/json.ts'
import { doors } from '../harness.ts'

const secret = 'x'.repeat(32)

describe.each(doors)('MW6: the middleware of SPEC 4.1 in its order through %s', (_, door) => {
  /** An application with the logger behind all middleware or in front of it, and the statuses that it logs. */
  const appWith = (loggerAt: 'last' | 'first') => {
    const statuses: number[] = []
    const log = logger({ log: () => {}, format: ({ status }) => String(statuses.push(status)) })
    const others = [
      helmet(),
      cors({ origin: 'http://shop.example', credentials: true }),
      compression({ threshold: 0 }),
      bodyParser(),
      sanitizer(),
      session({ secret }),
      csrf({ secret }),
      rateLimiter({ keyGenerator: () => 'all', max: 10, windowMs: 60_000 }),
      apiVersion({ strategy: 'header', header: 'api-version', versions: ['1', '2'], default: '1' }),
    ]
    const fetch = door({
      use: loggerAt === 'last' ? [...others, log] : [log, ...others],
      routes: [
        ['GET', '/', (ctx) => json({ version: ctx.state.apiVersion })],
        ['POST', '/', () => json({})],
      ],
    })
    return { fetch, statuses }
  }

  test.each(['last', 'first'] as const)('a request gets what each adds, with the logger %s', async (loggerAt) => {
    const { fetch, statuses } = appWith(loggerAt)
    const headers = { origin: 'http://shop.example', 'accept-encoding': 'gzip', 'api-version': '2' }
    const response = await fetch(new Request('http://localhost/', { headers }))
    expect({ status: response.status, statuses, headers: Object.fromEntries(response.headers) }).toMatchObject({
      status: 200,
      statuses: [200],
      headers: {
        'x-content-type-options': 'nosniff',
        'access-control-allow-origin': 'http://shop.example',
        'content-encoding': 'gzip',
        'ratelimit-limit': '10',
      },
    })
    const body = new Response(response.body!.pipeThrough(new DecompressionStream('gzip')))
    expect(await body.json()).toEqual({ version: '2' })
  })

  test.each([
    ['first', [403]],
    ['last', []],
  ] as const)('a refusal of csrf is 403, and a logger that is %s logs %j', async (loggerAt, logged) => {
    const { fetch, statuses } = appWith(loggerAt)
    const response = await fetch(new Request('http://localhost/', { method: 'POST' }))
    expect({ status: response.status, statuses }).toEqual({ status: 403, statuses: logged })
  })
})
