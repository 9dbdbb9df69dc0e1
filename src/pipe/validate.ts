import { inputFor } from '../internal/body/input.ts'
import { type Awaitable, markHandled } from '../internal/promise/awaitable.ts'
import { checkValue } from '../internal/schema/check-value.ts'
import type { AnySchema, OutputOf } from '../internal/types/any-schema.ts'
import type { AnyContext } from '../internal/types/context.ts'

/**
 * The body, validated by a schema: `ctx.state.body` if a body parser ran, else JSON or a form by the content type.
 *
 * @throws {ValidationError} with `issues` and `format()`; becomes a 422 unless it is caught.
 * @example
 * route('POST', '/users', async (ctx) => json(await validate(ctx, User), 201))
 */
export const validate = <S extends AnySchema>(
  ctx: Pick<AnyContext, 'request' | 'header' | 'state'>,
  schema: S,
): Promise<OutputOf<S>> => {
  const check = (value: unknown): Awaitable<OutputOf<S>> => checkValue(schema, value) as Awaitable<OutputOf<S>>
  const read = (): Awaitable<OutputOf<S>> => inputFor(ctx, schema, check)
  return markHandled(ctx.state.body === undefined ? read() : Promise.resolve().then(read))
}
