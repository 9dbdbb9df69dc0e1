import { createResponse } from '#runtime/core'
import type { HeadersInput, ResponseOptions } from '../internal/header/fields.ts'
import type { TypedResponse } from '../internal/types/context.ts'

export type { TypedResponse } from '../internal/types/context.ts'

/**
 * A JSON response. `undefined` is sent as `null`.
 *
 * @param status code, or all options in one object; @default 200
 * @throws {TypeError} for a value that JSON cannot represent (a circular reference, a bigint).
 * @example
 * json({ user }, 201, { location: `/users/${user.id}` })
 */
export const json = <Data, Status extends number = 200>(
  data: Data,
  status?: Status | ResponseOptions<Status>,
  headers?: HeadersInput,
): TypedResponse<Data, Status> =>
  createResponse(JSON.stringify(data) ?? 'null', 'application/json', status, headers) as TypedResponse<Data, Status>
