import type { AnySchema, OutputOf } from './any-schema.ts'
import type { AnyContext } from './context.ts'
import { handled } from './internal/awaitable.ts'
import { checkValue } from './internal/schema/check-value.ts'
import { readInput } from './read/input.ts'

/**
 * The body, validated by a schema: `ctx.state.body` if a body parser ran, else JSON or a form by the content type.
 *
 * @throws {ValidationError} with `issues` and `format()`; becomes a 422 unless it is caught.
 * @example
 * route('POST', '/users', async (ctx) => json(await validate(ctx, User), 201))
 */
export const validate = <S extends AnySchema>(ctx: Validated, schema: S): Promise<OutputOf<S>> =>
  handled(validated(ctx, schema)) as Promise<OutputOf<S>>

/** The part of a context that {@link validate} needs. */
type Validated = Pick<AnyContext, 'request' | 'header' | 'state'>

const validated = async (ctx: Validated, schema: AnySchema): Promise<unknown> => {
  const { body } = ctx.state
  return checkValue(schema, body === undefined ? await readInput(ctx) : body)
}
