/** The advisories that have a regression test, read from the titles and comments of `test/advisories`. */
import { readdirSync, readFileSync } from 'node:fs'

const folder = new URL('../test/advisories/', import.meta.url)
const ID = /\b(?:CVE-\d{4}-\d+|GHSA(?:-\w{4}){3})\b/g
/** A title in quotes, or a line of a comment. */
const SENTENCE =
  /(['"`])((?:(?!\1)[^\\]|\\.)*(?:CVE-|GHSA-)(?:(?!\1)[^\\]|\\.)*)\1|^\s*(?:\/\*\*|\*|\/\/)\s*(.*?)\s*(?:\*\/)?$/

const cell = (text) =>
  text
    .replace(ID, '')
    .replace(/%s|\\/g, '')
    .replace(/\(\s*,?\s*\)/g, '')
    .replace(/^[\s,:]+|[\s,:]+$/g, '')
    .replace(/\s+([,:.])/g, '$1')
    .replaceAll('|', '\\|')
    .replaceAll('<', '&lt;')
    .trim()

/** A section with a row for each advisory. */
export const advisoriesTable = () => {
  const rows = new Map()
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.test.ts')))
    for (const line of readFileSync(new URL(name, folder), 'utf8').split('\n')) {
      const found = SENTENCE.exec(line)
      for (const [id] of line.matchAll(ID)) {
        const text = cell(found?.[2] ?? found?.[3] ?? '')
        if ((rows.get(id)?.text ?? '').length < text.length || !rows.has(id)) rows.set(id, { text, name })
      }
    }
  const lines = [...rows]
    .sort()
    .map(([id, { text, name }]) => `| ${id} | ${text || name.replace(/\..*/, '').replaceAll('-', ' ')} | \`${name}\` |`)
  return `## Advisories of other projects

Each has a regression test in \`test/advisories\`, which shows that its class of fault is absent.

| Advisory | What the test shows | Test |
|---|---|---|
${lines.join('\n')}
`
}
