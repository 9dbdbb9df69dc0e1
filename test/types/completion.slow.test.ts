import { expect, test } from 'vitest'
import { languageServiceFor } from './language-service.ts'

const COUNT = 100
const ROUTES = Array.from(
  { length: COUNT },
  (_, n) =>
    `  .post('/r${n}/:first/with/:second', ({ params }: Context<{}, { first: string; second: string }>) => json({ n${n}: params.first }))`,
)
const BEFORE = `import { createApp } from '../../src/app.ts'
import { createClient } from '../../src/client.ts'
import type { Context } from '../../src/internal/types/context.ts'
import { json } from '../../src/respond/json.ts'
const app = createApp()
${ROUTES.join('\n')}
const api = createClient<typeof app>({ baseUrl: 'http://a' })
`

/** The list behind a text, as an editor asks for it, and the instantiations that the compiler needed. */
const completionsOf = (code: string): { names: string[]; cost: number } => {
  const text = BEFORE + code
  const { service, file } = languageServiceFor('completion-of-paths.ts', text)
  const list = service.getCompletionsAtPosition(file, text.indexOf('|'), {})
  // Only for those who work on the compiler, but it is there
  const { getInstantiationCount } = service.getProgram() as unknown as { getInstantiationCount(): number }
  return { names: list?.entries.map(({ name }) => name) ?? [], cost: getInstantiationCount() }
}

test('TC7: the list of paths does not compute the input of every route', () => {
  const { names, cost } = completionsOf(`api.post('/|')\n`)
  expect(names).toContain('/r7/:first/with/:second')
  expect(names.filter((name) => name.startsWith('/r'))).toHaveLength(COUNT)
  // 14,433; 24,710 when it does
  expect(cost).toBeLessThan(18_000)
}, 300_000)
