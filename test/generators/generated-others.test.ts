import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { createApp, json, type Middleware, type Token } from '../../src/index.ts'
import type { ProviderClass } from '../../src/provider.ts'
import { runCommand } from './run-command.ts'
import { temporaryFolder } from './sandbox.ts'

let root = ''
const load = (file: string): Promise<Record<string, unknown>> => import(/* @vite-ignore */ join(root, 'src/app', file))

beforeAll(async () => {
  root = temporaryFolder()
  for (const line of [
    'middleware auth',
    'middleware rate-limit',
    'middleware require-session',
    'validator User name,age:integer?',
    'validator Post --id int',
    'service Billing',
    'provider Mail',
  ])
    expect((await runCommand(root, ['g', ...line.split(' ')])).code).toBe(0)
})

describe('G6, A1: the generated auth middleware', () => {
  type Verify = (token: string) => unknown

  /** An application behind the middleware, whose handler tells the user, or throws. */
  const ask = async (authorization: string | undefined, verify?: Verify, path = '/me') => {
    const module = await load('middleware/auth.ts')
    const middleware = verify === undefined ? module.auth : (module.authWith as (verify: Verify) => Middleware)(verify)
    const app = createApp({ onError: (error) => json({ error: (error as Error).message }, 500) })
    app.use(middleware as Middleware<{ user: unknown }>)
    app.get('/me', (ctx) => json({ user: ctx.state.user }))
    app.get('/broken', () => {
      throw new Error('The handler broke')
    })
    const response = await app.fetch(
      new Request(`http://localhost${path}`, authorization === undefined ? {} : { headers: { authorization } }),
    )
    return { status: response.status, body: await response.json(), challenge: response.headers.get('www-authenticate') }
  }
  const CHALLENGE = 'Bearer realm="api"'
  const knows: Verify = (token) => (token === 'right' ? { id: '7' } : undefined)

  test('no Authorization: 401 Unauthorized, and which scheme would help', async () => {
    expect(await ask(undefined, knows)).toEqual({ status: 401, body: { error: 'Unauthorized' }, challenge: CHALLENGE })
  })

  test('an unknown token: 401 Invalid token', async () => {
    expect(await ask('Bearer wrong', knows)).toEqual({
      status: 401,
      body: { error: 'Invalid token' },
      challenge: `${CHALLENGE}, error="invalid_token"`,
    })
  })

  test.each([
    ['another scheme', 'Basic cmlnaHQ='],
    ['no token', 'Bearer '],
    ['two tokens', 'Bearer right right'],
    ['a token in the wrong alphabet', 'Bearer rig(ht'],
  ])('%s is no token at all: 401 Unauthorized', async (_, authorization) => {
    expect(await ask(authorization, knows)).toMatchObject({ status: 401, body: { error: 'Unauthorized' } })
  })

  test.each([
    [
      'throws',
      () => {
        throw new Error('no database')
      },
    ],
    ['rejects', () => Promise.reject(new Error('expired'))],
    ['gives nothing in the end', async () => undefined],
  ])('a verification that %s: 401 Invalid token', async (_, verify) => {
    expect(await ask('Bearer right', verify)).toMatchObject({ status: 401, body: { error: 'Invalid token' } })
  })

  test.each([['Bearer right'], ['bearer right'], ['BEARER   right ']])(
    '%s: the user is in the state',
    async (authorization) => {
      expect(await ask(authorization, knows)).toMatchObject({ status: 200, body: { user: { id: '7' } } })
    },
  )

  test('a handler that throws keeps its own error: it is no "Invalid token"', async () => {
    expect(await ask('Bearer right', knows, '/broken')).toMatchObject({
      status: 500,
      body: { error: 'The handler broke' },
    })
  })

  test('as it is generated it rejects every token', async () => {
    expect(await ask('Bearer right')).toMatchObject({ status: 401, body: { error: 'Invalid token' } })
  })
})

test('A3: the generated session guard wants a user in the session, and passes it on', async () => {
  const { requireSession } = await load('middleware/require-session.ts')
  const ask = async (session: { userId?: string }) => {
    const app = createApp()
      .use(((ctx, next) => {
        ctx.state.session = session
        return next()
      }) as Middleware<{ session: { userId?: string } }>)
      .use(requireSession as Middleware<{ userId: string }, { session: { userId?: string } }>)
      .get('/', (ctx) => json({ userId: ctx.state.userId }))
    const response = await app.fetch(new Request('http://localhost/'))
    return { status: response.status, body: await response.json(), challenge: response.headers.get('www-authenticate') }
  }
  expect(await ask({})).toEqual({ status: 401, body: { error: 'Unauthorized' }, challenge: 'Session' })
  expect(await ask({ userId: '7' })).toEqual({ status: 200, body: { userId: '7' }, challenge: null })
})

test('another middleware passes the answer of the handler on', async () => {
  const { rateLimit } = await load('middleware/rate-limit.ts')
  const app = createApp()
    .use(rateLimit as Middleware)
    .get('/', () => json({ ok: true }))
  expect(await (await app.fetch(new Request('http://localhost/'))).json()).toEqual({ ok: true })
  expect((rateLimit as Middleware).name).toBe('rateLimit')
})

describe('G8: the generated validator', () => {
  interface Schema {
    readonly safeParse: (value: unknown) => { success: boolean; data?: unknown }
  }

  test('create needs the required fields and drops unknown ones; update accepts any subset', async () => {
    const { createUserSchema, updateUserSchema } = (await load('validators/User.ts')) as Record<string, Schema>
    expect(createUserSchema?.safeParse({ name: ' Ada ', role: 'admin' })).toEqual({
      success: true,
      data: { name: 'Ada' },
    })
    expect(createUserSchema?.safeParse({ age: 7 }).success).toBe(false)
    expect(updateUserSchema?.safeParse({})).toEqual({ success: true, data: {} })
    expect(updateUserSchema?.safeParse({ age: 'x' }).success).toBe(false)
  })

  test('the id is a uuid, or with --id int a positive number', async () => {
    const { userIdSchema } = (await load('validators/User.ts')) as Record<string, Schema>
    const { postIdSchema } = (await load('validators/Post.ts')) as Record<string, Schema>
    expect(userIdSchema?.safeParse({ id: 'f47ac10b-58cc-4372-a567-0e02b2c3d479' }).success).toBe(true)
    expect(userIdSchema?.safeParse({ id: '7' }).success).toBe(false)
    expect(postIdSchema?.safeParse({ id: '7' })).toEqual({ success: true, data: { id: 7 } })
    expect(postIdSchema?.safeParse({ id: '-7' }).success).toBe(false)
  })
})

test('G9: the generated service is a class that needs nothing', async () => {
  const { Billing } = (await load('services/Billing.ts')) as { Billing: new () => object }
  expect(new Billing()).toBeInstanceOf(Billing)
})

test('issue 15: the generated provider binds one service for the whole application', async () => {
  const { MailProvider, mailToken } = (await load('providers/MailProvider.ts')) as {
    MailProvider: ProviderClass
    mailToken: Token<object>
  }
  const app = createApp().register(MailProvider)
  await app.ready()
  expect(app.container.make(mailToken)).toEqual({ name: 'mail' })
  expect(app.container.make(mailToken)).toBe(app.container.make(mailToken))
  await app.close()
})
