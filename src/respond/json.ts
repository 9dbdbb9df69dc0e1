import { createResponse } from '#runtime/response'
import type { HeadersInput, ResponseOptions } from '../internal/fields.ts'

/**
 * A JSON response. `undefined` is sent as `null`.
 *
 * @param status code, or all options in one object; @default 200
 * @throws {TypeError} for a value that JSON cannot hold (a circle, a bigint).
 * @example
 * json({ user }, 201, { location: `/users/${user.id}` })
 */
export const json = (data: unknown, status?: number | ResponseOptions, headers?: HeadersInput): Response =>
  createResponse(JSON.stringify(data) ?? 'null', 'application/json', status, headers)
