import { blank, pipe, route, text, toFetch } from 'sluice/pipe'

export const fetch = pipe(
  blank,
  route('GET', '/', () => text('hello')),
  toFetch,
)
