import { HttpError, type Middleware } from 'sluice'
import { env } from 'sluice/env'
import { signJwt } from 'sluice/jwt'
import { jwt } from 'sluice/middleware/jwt'
import * as z from 'sluice/z'
import { User } from './models.ts'

const secret = env('JWT_SECRET', 'a secret for development, of 32 bytes or more')
const WEEK = 604_800

/** A token of this user for a week. */
export const tokenOf = ({ id }: User): Promise<string> => signJwt({}, { secret, subject: String(id), expiresIn: WEEK })

const settings = { algorithms: ['HS256'], secret, scheme: 'Token', schema: z.object({ sub: z.string() }) } as const

/** Reads the token of a request, if it has one. */
const token = jwt({ ...settings, optional: true })

/** Writes `ctx.state.viewer`: the user of the token, or undefined for a visitor. */
export const viewer: Middleware<{ viewer: User | undefined }> = (ctx, next) =>
  token(ctx as never, async () => {
    const { jwt: claims } = ctx.state as { readonly jwt?: { readonly sub: string } }
    ctx.state.viewer = claims && (await User.findById(claims.sub))
    return next()
  })

/** Writes `ctx.state.user`, or responds with 401. */
export const signedIn: Middleware<{ user: User; viewer: User | undefined }> = (ctx, next) =>
  viewer(ctx, () => {
    const { viewer: user } = ctx.state
    if (!user) throw new HttpError(401)
    ctx.state.user = user
    return next()
  }) as ReturnType<typeof next>
