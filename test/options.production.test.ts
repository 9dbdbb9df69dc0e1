import { describe, expect, test } from 'vitest'
import { ROWS } from './option-rows.ts'

/**
 * What the build for production does not refuse, by the beginning of the message of the other build, beside unknown
 * names. Whatever protects at run time is not here: secrets, limits and bounds, sources of a CSP, statuses, CR and LF,
 * names of cookies.
 */
const ACCEPTED = {
  'matches nobody, so it fails closed': ['cors: origin', 'route'],
  'blocks each script with a nonce, so it fails closed': ['helmet: contentSecurityPolicy: nonce'],
  'is a type error at the first request, which gets a 500': [
    'cors: methods',
    'cors: allowedHeaders',
    'cors: exposedHeaders',
    'compression: filter',
    'logger: log',
    'rateLimiter: keyGenerator',
    'redisRateLimit: now',
    'validator: schema',
    'validator: source',
    'validator: status',
    'validator: onError',
    'createApp: onError',
    'createApp: notFound',
    'createApp: methodNotAllowed',
    'problemJson: type',
    'container: db',
    'register',
  ],
  'counts as true or as a text': [
    'cors: credentials',
    'cors: maxAge',
    'colorFormat: enabled',
    'sanitizer: body',
    'session: rolling',
    'session: cookie: domain',
    'bodyParser: strict',
    'loadEnv: expand',
    'kvSession: prefix',
    'createApp: basePath',
    'createApp: bodyLimit: expected a number, got',
    'path',
  ],
  'browsers ignore': [
    'sse: retry',
    'helmet: hsts',
    'helmet: referrerPolicy',
    'helmet: xssFilter',
    'helmet: frameguard: action',
    'helmet: contentSecurityPolicy: directives: expected a directive',
  ],
  'has no known name, so the defaults hold': [
    'cors: expected an object',
    'createApp: expected an object',
    'createApp: config',
    'toJsonSchema: expected an object',
    'validator: expected an object',
  ],
}

const accepted = Object.values(ACCEPTED).flat()
const isAccepted = (message: string): boolean =>
  / unknown option, /.test(message) ||
  accepted.some((start) => new RegExp(`^${start}(:|$)`).test(message) || message.startsWith(`${start} `))

const outcome = (make: (options: unknown) => unknown, options: unknown): unknown => {
  try {
    make(options)
    return 'accepted'
  } catch (error) {
    return error
  }
}

describe('in the build for production, with a shorter text', () => {
  const [open, closed] = [true, false].map((one) => ROWS.filter(([, , message]) => isAccepted(message) === one))

  test.each(closed!.map(([make, options, message]) => [message, make, options] as const))(
    'refused: %s',
    (_, make, options) => {
      expect(outcome(make, options)).toBeInstanceOf(TypeError)
    },
  )

  test('what is accepted has a reason, and no reason is for nothing', () => {
    const seen = open!.map(([make, options, message]) => [message, outcome(make, options)] as const)
    const unused = accepted.filter((start) => !seen.some(([message]) => message.startsWith(start)))
    expect(unused).toEqual([])
    expect(seen.filter(([, found]) => found !== 'accepted' && !(found instanceof TypeError))).toEqual([])
  })
})
