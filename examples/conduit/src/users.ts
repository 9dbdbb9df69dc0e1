import { createApp, HttpError, validateBody } from 'sluice'
import { describe } from 'sluice/openapi'
import { hashPassword, needsRehash, verifyPassword } from 'sluice/password'
import { changesOf, inputOf, outputOf, refusals } from 'sluice/resource'
import * as z from 'sluice/z'
import { signedIn, tokenOf, viewer } from './auth.ts'
import { User } from './models.ts'

const tags = ['users']
const password = z.string().min(8).max(200)
const register = z.object({ user: inputOf(User).extend({ password }) })
const change = z.object({ user: changesOf(User).extend({ password: password.optional() }) })
const login = z.object({
  user: inputOf(User)
    .pick({ email: true })
    .extend({ password: z.string().max(200) }),
})
const account = z.object({
  user: outputOf(User).pick({ username: true, email: true, bio: true, image: true }).extend({ token: z.string() }),
})

/** A user as others see them. */
export const profile = outputOf(User)
  .pick({ username: true, bio: true, image: true })
  .extend({ following: z.boolean() })
const one = z.object({ profile })

export const profileOf = ({ id, username, bio, image }: User, followed: readonly number[] = []) => ({
  username,
  bio,
  image,
  following: followed.includes(id),
})

const accountOf = async (user: User) => {
  const { username, email, bio, image } = user
  return { user: { username, email, bio, image, token: await tokenOf(user) } }
}

const follow = async (follower: User, username: string, method: 'attach' | 'detach') => {
  const user = await User.findOneOrFail({ where: { username } })
  const following = follower.related('following')
  await following[method]([user.id])
  return { profile: profileOf(user, await following.ids()) }
}

/** Registration, login, the account of the signed-in user, and profiles. */
export const users = createApp<unknown, object>()
  .post(
    '/users',
    describe({ summary: 'Register', tags, responses: { 201: account, ...refusals(409, 422) } }),
    validateBody(register, { type: 'json' }),
    async (ctx) => {
      const { password, ...values } = ctx.state.valid.body.user
      return ctx.json(
        await accountOf(await User.create({ ...values, passwordHash: await hashPassword(password) })),
        201,
      )
    },
  )
  .post(
    '/users/login',
    describe({ summary: 'Sign in', tags, responses: { 200: account, ...refusals(401, 422) } }),
    validateBody(login, { type: 'json' }),
    async (ctx) => {
      const { email, password } = ctx.state.valid.body.user
      const user = await User.findOne({ where: { email } })
      const isRight = await verifyPassword(password, user?.passwordHash)
      if (!user || !isRight) throw new HttpError(401, 'The address or the password is wrong')
      if (needsRehash(user.passwordHash)) await user.update({ passwordHash: await hashPassword(password) })
      return ctx.json(await accountOf(user))
    },
  )
  .get('/user', describe({ tags, responses: { 200: account, ...refusals(401) } }), signedIn, async (ctx) =>
    ctx.json(await accountOf(ctx.state.user)),
  )
  .put(
    '/user',
    describe({ summary: 'Change the account', tags, responses: { 200: account, ...refusals(401, 409, 422) } }),
    signedIn,
    validateBody(change, { type: 'json' }),
    async (ctx) => {
      const { password, ...values } = ctx.state.valid.body.user
      const passwordHash = password === undefined ? undefined : await hashPassword(password)
      return ctx.json(await accountOf(await ctx.state.user.update({ ...values, passwordHash })))
    },
  )
  .get('/profiles/:username', describe({ tags, responses: { 200: one, ...refusals(404) } }), viewer, async (ctx) => {
    const user = await User.findOneOrFail({ where: { username: ctx.params.username } })
    return ctx.json({ profile: profileOf(user, await ctx.state.viewer?.related('following').ids()) })
  })
  .post(
    '/profiles/:username/follow',
    describe({ tags, responses: { 200: one, ...refusals(401, 404) } }),
    signedIn,
    async (ctx) => ctx.json(await follow(ctx.state.user, ctx.params.username, 'attach')),
  )
  .delete(
    '/profiles/:username/follow',
    describe({ tags, responses: { 200: one, ...refusals(401, 404) } }),
    signedIn,
    async (ctx) => ctx.json(await follow(ctx.state.user, ctx.params.username, 'detach')),
  )
