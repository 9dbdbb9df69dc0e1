import { cors } from 'sluice/middleware/cors'
import { blank, pipe, route, text, toFetch, use } from 'sluice/pipe'

export const fetch = pipe(
  blank,
  use(cors()),
  route('GET', '/', () => text('hello')),
  toFetch,
)
