import { cors } from 'sluice/middleware/cors'
import { pipe } from 'sluice/pipe'
import { blank, route, use } from 'sluice/plan'
import { text } from 'sluice/respond/text'
import { toFetch } from 'sluice/to-fetch'

export const fetch = pipe(
  blank,
  use(cors()),
  route('GET', '/', () => text('hello')),
  toFetch,
)
