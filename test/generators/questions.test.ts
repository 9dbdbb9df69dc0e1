import { expect, test } from 'vitest'
import { askChoice } from '../../generators/project/questions.ts'

test.each<[string, string[], string, number]>([
  ['a choice is the answer', ['api'], 'api', 1],
  ['an empty line is the usual choice', [''], 'default', 1],
  ['blanks around an answer do not matter', [' minimal '], 'minimal', 1],
  ['a wrong answer is asked for again, until it is a choice', ['bogus', 'API', 'api'], 'api', 3],
  ['an empty line after a wrong answer is the usual choice', ['bogus', ''], 'default', 2],
])('%s', async (_, answers, expected, count) => {
  const asked: string[] = []
  const read = async (question: string): Promise<string> => {
    asked.push(question)
    return answers[asked.length - 1] ?? ''
  }
  expect(await askChoice(read, 'Template', ['default', 'api', 'minimal'], 'default')).toBe(expected)
  expect(asked).toEqual(Array(count).fill('Template (default, api, minimal) [default] '))
})
