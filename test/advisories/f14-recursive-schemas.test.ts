import { describe, expect, test } from 'vitest'
import { validateBody } from '../../src/middleware/validator.ts'
import { json } from '../../src/respond/json.ts'
import * as z from '../../src/z.ts'
import * as zod3 from '../../src/zod3.ts'
import { doors } from '../harness.ts'

/** A text in brackets: `nested(2, '[', ']')` is `[[]]`. */
const nested = (depth: number, open: string, close: string): string => open.repeat(depth) + close.repeat(depth)

let visits = 0
const visited = z.string().refine(() => {
  visits++
  return true
})

const First: z.AnySchema = z.lazy(() => z.object({ second: Second.optional() }))
const Second: z.AnySchema = z.lazy(() => z.object({ first: First.optional() }))
const List: z.AnySchema = z.lazy(() => z.array(List))
/** Three alternatives that look at the same keys: without a memory, each level takes three times as long. */
const Union: z.AnySchema = z.lazy(() =>
  z.union([
    z.object({ a: Union, text: visited, one: z.literal(1) }),
    z.object({ a: Union, text: visited, two: z.literal(2) }),
    z.object({ a: Union, text: visited, three: z.literal(3) }),
    z.null(),
  ]),
)
interface Comment {
  readonly text: string
  readonly replies: readonly Comment[]
}
const Getter = zod3.object({
  text: zod3.string(),
  get replies(): z.AnySchema {
    return zod3.array(Getter)
  },
})

describe.each(doors)('F14 %s: a recursive schema and a hostile body', (_, door) => {
  const send = async (schema: z.AnySchema, body: string): Promise<Response> => {
    const fetch = door({ routes: [['POST', '/', validateBody(schema), (ctx) => json(ctx.state.validated)]] })
    const headers = { 'content-type': 'application/json' }
    return fetch(new Request('http://localhost/', { method: 'POST', body, headers }))
  }

  test.each([
    ['lists', List, nested(3000, '[', ']')],
    ['two schemas that contain each other', First, `${'{"second":{"first":'.repeat(1500)}{}${'}}'.repeat(1500)}`],
    ['a getter', Getter, `${'{"text":"","replies":['.repeat(1500)}${']}'.repeat(1500)}`],
  ])('%s, nested a few thousand times, give 422 and no overflow', async (_, schema, body) => {
    const response = await send(schema, body)
    expect(response.status).toBe(422)
    expect(await response.text()).toContain('Nested too deeply')
  })

  test('a union of objects takes a number of steps that grows with the body, not 3 to the power of its depth', async () => {
    const stepsOf = async (depth: number): Promise<number> => {
      let value: unknown = 'fits nothing'
      for (let level = 0; level < depth; level++) value = { a: value, text: 'x' }
      visits = 0
      expect((await send(Union, JSON.stringify(value))).status).toBe(422)
      return visits
    }
    const steps = await stepsOf(40)
    expect({ steps, stepsAtTwiceTheDepth: await stepsOf(80) }).toEqual({
      steps,
      stepsAtTwiceTheDepth: expect.toSatisfy((twice: number) => twice < 2.5 * steps),
    })
  })

  test('a getter accepts what fits', async () => {
    const comment: Comment = { text: 'a', replies: [{ text: 'b', replies: [] }] }
    const response = await send(Getter, JSON.stringify(comment))
    expect({ status: response.status, json: await response.json() }).toEqual({ status: 200, json: comment })
  })
})
