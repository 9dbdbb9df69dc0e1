import { textOf } from '#runtime/core'
import type { Awaitable } from '../promise/awaitable.ts'
import { parseJson } from './parse-json.ts'
import type { RereadableRequest } from './read-body.ts'

/** The body as JSON: the value that is known already, else from its text. */
export const jsonOf = <T>(request: RereadableRequest, convert: (value: unknown) => Awaitable<T>): Awaitable<T> =>
  request['~json'] ? request['~json'].then(convert) : textOf(request, (text) => convert(parseJson(text)))
