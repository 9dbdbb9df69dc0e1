import { cors } from 'sluice/middleware/cors'
import { helmet } from 'sluice/middleware/helmet'
import { blank, json, pipe, route, toFetch, use, validate } from 'sluice/pipe'
import * as z from 'sluice/z'

const User = z.object({ name: z.string(), email: z.string().email(), age: z.number() })

export const fetch = pipe(
  blank,
  use(helmet()),
  use(cors()),
  route('POST', '/', async (ctx) => json(await validate(ctx, User))),
  toFetch,
)
