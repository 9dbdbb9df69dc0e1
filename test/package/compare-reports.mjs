import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/**
 * What a change costs and what it changes for users, as Markdown: `node test/package/compare-reports.mjs before.json
 * after.json`. report.mjs writes the two reports. CI comments it on a pull request.
 */

const figure = (count) => (count === undefined ? '–' : count.toLocaleString('en-US'))

const changeOf = (before, after) => {
  if (before === undefined) return 'new'
  if (after === undefined) return 'gone'
  const percent = (((after - before) / before) * 100).toFixed(1)
  return `${after > before ? '+' : ''}${figure(after - before)} (${after > before ? '+' : ''}${percent} %)`
}

const namesOf = (before, after) => [...new Set([...Object.keys(before), ...Object.keys(after)])]

/** A table of the figures that differ. */
const figures = (title, unit, before, after) => {
  const changed = namesOf(before, after).filter((name) => before[name] !== after[name])
  if (changed.length === 0) return `### ${title}\n\nNo change.`
  const rows = changed.map(
    (name) => `| ${name} | ${figure(before[name])} | ${figure(after[name])} | ${changeOf(before[name], after[name])} |`,
  )
  return `### ${title}\n\n| | ${unit} before | after | change |\n|---|---:|---:|---:|\n${rows.join('\n')}`
}

/** Characters of signatures: GitHub takes 65,536 in a comment. */
const ROOM = 40_000

/** Signatures that came and went, by subpath. */
const signatures = (before, after) => {
  const parts = namesOf(before, after).flatMap((subpath) => {
    const [old, fresh] = [before[subpath] ?? [], after[subpath] ?? []]
    const gone = old.filter((text) => !fresh.includes(text)).map((text) => text.replace(/^/gm, '- '))
    const came = fresh.filter((text) => !old.includes(text)).map((text) => text.replace(/^/gm, '+ '))
    return gone.length + came.length ? [`\`${subpath}\`\n\n\`\`\`diff\n${[...gone, ...came].join('\n')}\n\`\`\``] : []
  })
  const text = parts.length ? parts.join('\n\n') : 'No change.'
  return `### API\n\n${text.length > ROOM ? `${text.slice(0, ROOM)}\n\`\`\`\n\nThe rest is cut.` : text}`
}

/** The comment. */
export const compareReports = (before, after) =>
  [
    '## Sizes, types and API',
    figures('Sizes', 'bytes', before.sizes, after.sizes),
    figures('Types', 'instantiations', before.types, after.types),
    signatures(before.api, after.api),
  ].join('\n\n')

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [before, after] = process.argv.slice(2).map((file) => JSON.parse(readFileSync(file, 'utf8')))
  console.log(compareReports(before, after))
}
