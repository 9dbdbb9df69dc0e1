import ts from 'typescript'
import { describe, expect, test } from 'vitest'
import { languageServiceFor } from './language-service.ts'

/** What an editor shows for a name; each row is a name of this program. */
const CODE = `import { createApp } from '../../src/app.ts'
import { createClient } from '../../src/client.ts'
import { validateBody } from '../../src/middleware/validator.ts'
import * as z from '../../src/z.ts'
import * as zod3 from '../../src/zod3.ts'
const User = z.object({ name: z.string(), age: z.number().optional() })
export const parsed = User.parse({})
export const nested = z.object({ users: z.array(User) }).parse({})
export const listed = z.discriminatedUnion('is', [User.extend({ is: z.literal('user') })]).parse({})
export const third = zod3.object({ name: zod3.string(), age: zod3.number().optional() }).parse({})
const app = createApp().post('/', validateBody(User), (ctx) => {
  const { body } = ctx.state.valid
  return ctx.json(body)
})
const response = await createClient<typeof app>({ baseUrl: 'http://a' }).post('/', { json: { name: 'ann' } })
if (response.status === 200) {
  const replied = await response.json()
  console.log(replied)
}
`

describe('a value with an optional key is shown as one object', () => {
  const { service, file } = languageServiceFor('hover-of-values.ts', CODE)

  test.each([
    ['parsed', '{ name: string; age?: number | undefined; }'],
    ['nested', '{ users: { name: string; age?: number | undefined; }[]; }'],
    ['listed', '{ name: string; is: "user"; age?: number | undefined; }'],
    ['third', '{ name: string; age?: number | undefined; }'],
    ['body', '{ name: string; age?: number | undefined; }'],
    ['replied', '{ name: string; age?: number | undefined; }'],
  ])(
    '%s',
    (name, type) => {
      const at = CODE.search(new RegExp(`\\b${name}\\b( =| })`))
      const shown = ts.displayPartsToString(service.getQuickInfoAtPosition(file, at)?.displayParts)
      expect(shown.replace(/\s+/g, ' ')).toBe(`const ${name}: ${type}`)
    },
    120_000,
  )
})
