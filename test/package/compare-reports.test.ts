import { expect, test } from 'vitest'

interface Report {
  readonly sizes: Readonly<Record<string, number>>
  readonly types: Readonly<Record<string, number>>
  readonly api: Readonly<Record<string, readonly string[]>>
}

/** The script is plain JavaScript, which has no declarations. */
const script: string = './compare-reports.mjs'
const { compareReports }: { compareReports(before: Report, after: Report): string } = await import(script)

const report: Report = {
  sizes: { 'router alone': 1_000, 'sluice/z': 4_000 },
  types: { '100 routes': 33_000 },
  api: { 'sluice/z': ['const string: () => ZodString;', 'interface Issue {\n  code: string;\n}'] },
}

/** The lines of the comment that say something. */
const comment = (changes: Partial<Report>): string[] =>
  compareReports(report, { ...report, ...changes })
    .split('\n')
    .filter((line) => line !== '')

test('two equal reports have no change', () => {
  expect(comment({})).toEqual([
    '## Sizes, types and API',
    '### Sizes',
    'No change.',
    '### Types',
    'No change.',
    '### API',
    'No change.',
  ])
})

test.each([
  ['a larger entry', { 'router alone': 1_250 }, '| router alone | 1,000 | 1,250 | +250 (+25.0 %) |'],
  ['a smaller entry', { 'sluice/z': 3_900 }, '| sluice/z | 4,000 | 3,900 | -100 (-2.5 %) |'],
  ['a new entry', { 'sluice/new': 12 }, '| sluice/new | – | 12 | new |'],
])('%s is a row, and what stayed the same is none', (_, sizes, row) => {
  const lines = comment({ sizes: { ...report.sizes, ...sizes } })
  expect(lines.filter((line) => line.startsWith('| ') && !line.startsWith('| |'))).toEqual([row])
})

test('an entry that is missing afterwards is gone', () => {
  expect(comment({ sizes: { 'sluice/z': 4_000 } })).toContain('| router alone | 1,000 | – | gone |')
})

test('instantiations have a table of their own', () => {
  expect(comment({ types: { '100 routes': 66_000 } })).toEqual(
    expect.arrayContaining([
      '| | instantiations before | after | change |',
      '| 100 routes | 33,000 | 66,000 | +33,000 (+100.0 %) |',
    ]),
  )
})

test('a changed signature is a diff below its subpath, each line with its sign', () => {
  const [string, issue] = report.api['sluice/z']!
  const lines = comment({ api: { 'sluice/z': [string!, issue!.replace('string', 'number')] } })
  expect(lines.slice(lines.indexOf('### API'))).toEqual([
    '### API',
    '`sluice/z`',
    '```diff',
    '- interface Issue {',
    '-   code: string;',
    '- }',
    '+ interface Issue {',
    '+   code: number;',
    '+ }',
    '```',
  ])
})

test('a subpath that came or went is told with all that it exports', () => {
  expect(comment({ api: { 'sluice/zod3': ['const any: 1;'] } })).toEqual(
    expect.arrayContaining(['`sluice/z`', '- const string: () => ZodString;', '`sluice/zod3`', '+ const any: 1;']),
  )
})

test('a comment stays below the 65,536 characters of GitHub, its blocks closed', () => {
  const api = { 'sluice/z': Array.from({ length: 5_000 }, (_, index) => `const name${index}: string;`) }
  const text = compareReports(report, { ...report, api })
  expect(text.length).toBeLessThan(65_536)
  expect(text.match(/```/g)?.length).toBe(2)
  expect(text).toMatch(/The rest is cut\.$/)
})
