import { cors } from 'sluice/middleware/cors'
import { helmet } from 'sluice/middleware/helmet'
import { pipe } from 'sluice/pipe'
import { blank, route, use } from 'sluice/plan'
import { json } from 'sluice/respond/json'
import { toFetch } from 'sluice/to-fetch'
import { validate } from 'sluice/validate'
import { number } from 'sluice/z/number'
import { object } from 'sluice/z/object'
import { string } from 'sluice/z/string'

const User = object({ name: string(), email: string().email(), age: number() })

export const fetch = pipe(
  blank,
  use(helmet()),
  use(cors()),
  route('POST', '/', async (ctx) => json(await validate(ctx, User))),
  toFetch,
)
