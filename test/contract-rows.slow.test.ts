import { describe, expect, test } from 'vitest'
import { allTitles, idsOf, page, rowsOf } from './contract-rows.ts'

const titles = allTitles()
const behaviour = rowsOf('BEHAVIOUR.md')
const rows = new Set([...behaviour, ...rowsOf('BEYOND.md')])
const named = new Set(titles.flatMap(idsOf))

describe('K8: titles and the rows of the contract', () => {
  test.each([
    ['R24: a name', ['R24']],
    ['X11, X12, MB10: every way', ['X11', 'X12', 'MB10']],
    ['MC1 hazard entropy: all', ['MC1']],
    ['G11, adonis CVE-2026-21440: a name', ['G11']],
    ['a row such as R24 in the middle', []],
    ['V1 to V3: random schemas', ['V1', 'V2', 'V3']],
    ['X6 and X7 together', ['X6', 'X7']],
    ['HTTP2 is spoken', []],
  ])('the title %j names %j', (text, ids) => {
    expect(idsOf({ file: '', text })).toEqual(ids)
  })

  test('the pages have rows, and the tests have titles', () => {
    expect(behaviour.length).toBeGreaterThan(200)
    expect(rows.size).toBeGreaterThan(300)
    expect(titles.length).toBeGreaterThan(2000)
  })

  test('every row that a title names exists', () => {
    const unknown = titles.filter((title) => idsOf(title).some((id) => !rows.has(id)))
    expect(unknown).toEqual([])
  })

  test('every failure that follows the word "hazard" stands in BEHAVIOUR.md', () => {
    const [, hazards = ''] = page('BEHAVIOUR.md').toLowerCase().split('## 25 ')
    const failures = titles.flatMap(({ text }) => /\bhazard ([\w -]+):/.exec(text)?.[1] ?? [])
    expect(failures.length).toBeGreaterThan(10)
    expect(failures.filter((failure) => !hazards.includes(failure.toLowerCase()))).toEqual([])
  })

  test('every row is named by a title', () => {
    expect([...rows].filter((id) => !named.has(id))).toEqual([])
  })
})
