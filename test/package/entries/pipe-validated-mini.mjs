import { cors } from 'sluice/middleware/cors'
import { helmet } from 'sluice/middleware/helmet'
import { blank, json, pipe, readJson, route, toFetch, use } from 'sluice/pipe'
import { email, number, object, string } from 'sluice/z/mini'

const User = object({ name: string(), email: string(email()), age: number() })

export const fetch = pipe(
  blank,
  use(helmet()),
  use(cors()),
  route('POST', '/', async (ctx) => json(User.parse(await readJson(ctx)))),
  toFetch,
)
