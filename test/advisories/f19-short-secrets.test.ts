import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})
beforeEach(() => vi.resetModules())

const ctx = { header: () => null } as never

/** Everything that takes a secret, from modules that have warned of nothing yet. */
const users = async (): Promise<readonly (readonly [string, (secret: any) => unknown])[]> => {
  const { session } = await import('../../src/middleware/session.ts')
  const { csrf } = await import('../../src/middleware/csrf.ts')
  const { getSignedCookie, setSignedCookie } = await import('../../src/cookie.ts')
  const { cookieSession } = await import('../../src/stores/cookie-session.ts')
  return [
    ['session', (secret) => session({ secret })],
    ['session', (secret) => session({ secret, store: cookieSession() })],
    ['csrf', (secret) => csrf({ secret })],
    ['getSignedCookie', (secret) => getSignedCookie(ctx, 'a', secret)],
    ['setSignedCookie', (secret) => setSignedCookie(ctx, 'a', '1', secret)],
  ]
}

describe('F19: a secret of fewer than 32 bytes', () => {
  test.each([
    ['one letter', 's', 1],
    ['31 bytes', 'x'.repeat(31), 31],
    ['30 bytes in 15 characters', 'ä'.repeat(15), 30],
    ['a list with a short one', ['x'.repeat(32), 'hunter2'], 7],
  ])('is refused in production, and not shown: %s', async (_, secret, size) => {
    vi.stubEnv('NODE_ENV', 'production')
    for (const [feature, use] of await users()) {
      const error: any = await (async () => use(secret))().catch((thrown) => thrown) // any: whatever was thrown
      expect(error).toBeInstanceOf(TypeError)
      expect(error.message).toBe(`${feature}: secret: expected 32 bytes or more, got ${size}`)
    }
  })

  test.each(['', 'development', 'test'])('is warned of once while NODE_ENV is "%s"', async (mode) => {
    vi.stubEnv('NODE_ENV', mode)
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const [first] = await users()
    for (let turn = 0; turn < 3; turn++) first![1]('hunter2')
    expect(warn.mock.calls).toEqual([['session: secret: expected 32 bytes or more, got 7: production refuses it']])
  })
})

test.each([['x'.repeat(32)], ['ä'.repeat(16)], [['x'.repeat(32), 'y'.repeat(40)]]])(
  'F19: a secret of 32 bytes or more passes in production without a warning: %j',
  async (secret) => {
    vi.stubEnv('NODE_ENV', 'production')
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const refused: unknown[] = []
    for (const [feature, use] of (await users()).slice(0, 4))
      await (async () => use(secret))().catch((error) => refused.push({ feature, error }))
    expect({ refused, warnings: warn.mock.calls }).toEqual({ refused: [], warnings: [] })
  },
)
