import { expect, test } from 'vitest'
import { endToEnd } from '../../src/internal/header/hop-by-hop.ts'
import { expectLinear } from '../growth.ts'

/** Half of it names in `Connection`, half of it other fields: what a client sends in one head. */
const fieldsOf = (size: number): string[] => [
  ...Array.from({ length: size / 8 }, (_, index) => [`x${index}`, '1']).flat(),
  'connection',
  'a,'.repeat(size / 4),
]

test('NA2: the work for fields that Connection names grows with the head, not with its square', async () => {
  const headersOf = (size: number): Headers => {
    const headers = new Headers()
    const fields = fieldsOf(size)
    for (let index = 0; index < fields.length; index += 2) headers.append(fields[index]!, fields[index + 1]!)
    return headers
  }
  await expectLinear(32_768, headersOf, endToEnd)
})

test.each([
  ['upper case', 'X-Secret, close'],
  ['spaces around it', ' x-secret ,close'],
])('NA1: a field that Connection names in %s is not forwarded', (_, connection) => {
  expect(endToEnd(new Headers({ 'x-secret': '1', 'x-open': '2', connection }))).toEqual([['x-open', '2']])
})
