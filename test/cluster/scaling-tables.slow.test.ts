import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { tableOf } from './simulate.ts'

test('OP8: the tables of docs/scaling.md are what the simulation gives', () => {
  const page = readFileSync(new URL('../../docs/scaling.md', import.meta.url), 'utf8')
  const tables = [...page.matchAll(/<!-- simulated: (\d+) (\d+) (\d+) -->\s+((?:\|.*\n)+)/g)]
  expect(tables).toHaveLength(2)
  for (const [, answer, redis, network, table] of tables)
    expect(table?.trim()).toBe(tableOf({ answer: Number(answer), redis: Number(redis), network: Number(network) }))
})
