import { pipe } from 'sluice/pipe'
import { blank, route } from 'sluice/plan'
import { text } from 'sluice/respond/text'
import { toFetch } from 'sluice/to-fetch'

export const fetch = pipe(
  blank,
  route('GET', '/', () => text('hello')),
  toFetch,
)
