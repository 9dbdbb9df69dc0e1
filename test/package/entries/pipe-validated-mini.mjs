import { cors } from 'sluice/middleware/cors'
import { helmet } from 'sluice/middleware/helmet'
import { pipe } from 'sluice/pipe'
import { blank, route, use } from 'sluice/plan'
import { readJson } from 'sluice/read/json'
import { json } from 'sluice/respond/json'
import { toFetch } from 'sluice/to-fetch'
import { email, number, object, string } from 'sluice/z/mini'

const User = object({ name: string(), email: string(email()), age: number() })

export const fetch = pipe(
  blank,
  use(helmet()),
  use(cors()),
  route('POST', '/', async (ctx) => json(User.parse(await readJson(ctx)))),
  toFetch,
)
