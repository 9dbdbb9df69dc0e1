import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { binaries } from '../runtime/binaries.mjs'
import { BEHIND } from './behind.mjs'
import { chart } from './chart.mjs'
import { rows } from './rows.mjs'

const docs = fileURLToPath(new URL('../../docs', import.meta.url))
const folder = join(docs, 'benchmarks')
const kept = join(folder, 'results.json')
const WHO = ['sluice', 'fastify', 'hono', 'h3', 'elysia', 'sirv']
const peers = JSON.parse(readFileSync(new URL('./package-lock.json', import.meta.url), 'utf8')).packages

/** First line that a runtime says about its version. */
export const versionsOf = (runtime) =>
  execFileSync(binaries()[runtime][0], ['--version'], { encoding: 'utf8' }).split('\n')[0].trim()

/** Put what was measured over what is known. */
export const merge = (found, machine) => {
  const known = existsSync(kept) ? JSON.parse(readFileSync(kept, 'utf8')) : { runtimes: {} }
  for (const [runtime, { version, rows }] of Object.entries(found)) {
    const before = known.runtimes[runtime]
    known.runtimes[runtime] = { version, rows: { ...before?.rows, ...rows } }
  }
  return { ...known, machine }
}

const cell = (figure, best) => {
  if (!figure) return '–'
  const text = figure.ratio.toFixed(2)
  return figure.ratio === best ? `**${text}**` : text
}

const table = (found) => {
  const names = Object.keys(rows).filter((name) => found[name])
  const lines = names.map((name) => {
    const { figures } = found[name]
    const best = Math.max(...WHO.map((who) => figures[who]?.ratio ?? 0))
    const unit = `${figures.raw.cost.toFixed(1)} µs`
    return `| ${rows[name].title} | ${WHO.map((who) => cell(figures[who], best)).join(' | ')} | ${unit} |`
  })
  return [`| | ${WHO.join(' | ')} | by hand |`, `|---|${'---|'.repeat(WHO.length + 1)}`, ...lines].join('\n')
}

const section = ([runtime, { version, rows: found }]) => {
  const results = Object.values(found)
  if (results.length === 0) return ''
  const dates = [...new Set(results.map(({ date }) => date))].sort().join(', ')
  const loads = results.map(({ load }) => load)
  const notes = [...new Set(results.flatMap(({ notes }) => notes))].map((note) => `- ${note}.`).join('\n')
  const rounds = [...new Set(results.map(({ rounds }) => rounds))].join(' and ')
  writeFileSync(join(folder, `${runtime}.svg`), chart(runtime, found, rows, WHO))
  return `## ${runtime}

Version ${version.replace(/^v/, '')}. Measured ${dates}, ${rounds} rounds. Load of the machine ${Math.min(...loads).toFixed(1)} to ${Math.max(...loads).toFixed(1)}.

![Ratios on ${runtime}](benchmarks/${runtime}.svg)

${table(found)}
${notes && `\n${notes}\n`}`
}

/** Write docs/benchmarks.md, its charts, and the figures that both are made of. */
export const writeReport = (results) => {
  mkdirSync(folder, { recursive: true })
  writeFileSync(
    kept,
    `${JSON.stringify(results, (_, value) => (typeof value === 'number' ? +value.toFixed(3) : value))}\n`,
  )
  const versions = WHO.slice(1)
    .map((who) => `${who} ${peers[`node_modules/${who}`].version}`)
    .join(', ')
  const text = `# Benchmarks

\`npm run bench -- runtimes --write\` writes this page. Do not edit it.

- A figure is CPU time of a hand-written server, divided by that of the framework. 1 is as fast as by hand. More is better.
- CPU time is user and system time of the server process for a request. The last column has it for the server by hand.
- All servers of a row run at once, and are loaded in turn, in short windows. A figure is the median of all rounds.
- Figures of one row compare. Figures of two runs do not.
- A load of the machine above 1 makes figures rough.
- A row that a framework has no part for, or that a runtime does not allow, has no figure.

Machine: ${results.machine}. Peers: ${versions}.

${Object.entries(results.runtimes).map(section).filter(Boolean).join('\n')}
${BEHIND}`
  writeFileSync(join(docs, 'benchmarks.md'), `${text.trimEnd()}\n`)
  console.log(`written: ${join(docs, 'benchmarks.md')}`)
}
