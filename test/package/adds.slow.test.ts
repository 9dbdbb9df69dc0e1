import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

type Row = readonly [name: string, bytes: number, beside: number, service: number, target: number, ceiling: number]

/** The script is plain JavaScript, which has no declarations. */
const script: string = './adds.mjs'
const { measure, MORE }: { measure(rows: unknown): Promise<Row[]>; MORE: unknown } = await import(script)
const rows = await measure(MORE)

test.each(rows)(
  'BEYOND §3: %s adds %i bytes to an edge bundle that has an onResponse',
  (_name, bytes, _beside, _service, _target, ceiling) => {
    expect(bytes).toBeLessThanOrEqual(ceiling)
  },
)

test('BEYOND §3: docs/bytes.md says why what is larger than its target in a service is', () => {
  const text = readFileSync(new URL('../../docs/bytes.md', import.meta.url), 'utf8')
  const [, section = ''] = text.split('## What each middleware adds\n')
  const told = [...section.matchAll(/^\| `([\w/-]+)` \| [\d,]+ \| .+ \|$/gm)].map(([, name]) => name)
  const larger = rows.filter(([, , , service, target]) => service > target).map(([name]) => name.replace(/^\//, ''))
  expect(told.toSorted()).toEqual(larger.toSorted())
})
