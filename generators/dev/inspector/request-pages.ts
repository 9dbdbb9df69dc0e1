import type { Markup } from '../../../src/html.ts'
import { HIDDEN, isSecretName, withoutSecretParts, withoutSecrets } from '../secrets.ts'
import { titleOf } from '../thrown.ts'
import { type Body, isText, textOfBody } from './bodies.ts'
import type { Entry, Outcome, RequestLog } from './log.ts'
import { duration, type Html, statusClass } from './page.ts'
import { canRepeat, REPEATS } from './repeat.ts'

/**
 * The last requests, the newest first.
 *
 * @param find a part of the method, the path, the status or the name of an error
 */
export const listPage = (html: Html, log: RequestLog, find = ''): Markup => {
  const words = find.toLowerCase().split(/\s+/)
  const rows = log
    .all()
    .filter((entry) => words.every((word) => wordsOf(entry).includes(word)))
    .map(
      (entry) => html`<tr><td>${entry.method}
<td class="path"><a href="/__sluice/requests/${entry.id}">${pathOf(entry)}</a>${entry.outcome?.error && html` <span class="bad">${entry.outcome.error.name}</span>`}
<td class="number">${statusOf(html, entry)}
<td class="number">${timeSpent(entry)}
<td class="number wide">${isOpen(entry) ? '…' : sizeOf(entry)}
<td class="number wide soft">${timeOf(entry)}`,
    )
  return html`<h1>Requests</h1>
<p class="soft">The last hundred since the application was started.</p>
<div class="tools"><form action="/__sluice"><input type="search" name="find" value="${find}" placeholder="POST 422 /users" aria-label="Method, path, status or error" autocomplete="off"><button>Filter</button></form>
<form method="post" action="/__sluice/clear"><button class="plain">Clear</button></form></div>
<div class="card">${
    rows.length === 0 && find !== ''
      ? html`<p class="empty">No request contains these words. <a href="/__sluice">Show all</a></p>`
      : rows.length === 0
        ? html`<p class="empty">None yet. Send a request to the application, and it appears here.</p>`
        : html`<table><thead><tr><th>Method<th>Path<th class="number">Status<th class="number">Time<th class="number wide">Size<th class="number wide">At</thead>
<tbody>${rows}</tbody></table>`
  }</div>`
}

/** What a filter looks at. */
const wordsOf = (entry: Entry): string =>
  [entry.method, pathOf(entry), entry.outcome?.status, entry.outcome?.error?.name].join(' ').toLowerCase()

/** One request: its result, its steps, its headers and body. */
export const requestPage = (html: Html, entry: Entry): Markup => {
  const { outcome } = entry
  const steps = outcome && stepsOn(html, outcome)
  return html`<h1 class="mono">${entry.method} ${pathOf(entry)}</h1>
<p>${statusOf(html, entry)} ${outcome ? html`<span class="soft">in ${duration(outcome.took)}, at ${timeOf(entry)}, ${sizeOf(entry)}${endOf(entry)}</span>` : html`<span class="soft">since ${timeOf(entry)}</span>`}${entry.repeats !== undefined && html`<span class="soft">, repeats <a href="/__sluice/requests/${entry.repeats}">request ${entry.repeats}</a></span>`}</p>
${
  canRepeat(entry)
    ? html`<form method="post" action="/__sluice/requests/${entry.id}/repeat"><button>Send it again</button></form>`
    : html`<p class="soft">It cannot be sent again: its body was not kept, or it switches protocols.</p>`
}
${outcome?.error && errorOn(html, outcome.error)}
${steps}
${entry.queries.length > 0 && queriesOn(html, entry)}
${entry.body !== undefined && bodyOn(html, 'Request body', { type: new Map(entry.headers).get('content-type') ?? '', chunks: [entry.body], size: entry.body.length })}
${entry.answer && isText(entry.answer) && bodyOn(html, 'Response body', entry.answer)}
<h2>Request headers</h2>${fieldsOn(html, entry.headers.filter(isForeign))}
${outcome && html`<h2>Response headers</h2>${fieldsOn(html, outcome.headers.filter(isForeign))}`}`
}

const statusOf = (html: Html, { outcome }: Entry): Markup =>
  outcome === undefined
    ? html`<span class="soft">running</span>`
    : html`<strong class="${statusClass(outcome.status)}">${outcome.status}</strong>`

const pathOf = ({ url }: Entry): string => {
  const { pathname, search } = new URL(withoutSecrets(url))
  return pathname + search.replaceAll('%28hidden%29', HIDDEN)
}

/** True while the client reads a stream. */
const isOpen = ({ outcome, answer }: Entry): boolean =>
  outcome === undefined || (answer?.streams === true && answer.end === undefined)

/** The time until the end of a stream, or until any other response. */
const timeSpent = (entry: Entry): string => {
  const { outcome, answer, begin } = entry
  if (isOpen(entry)) return outcome ? 'open' : '…'
  return duration(answer?.end === undefined ? (outcome?.took ?? 0) : answer.end - begin)
}

const sizeOf = ({ answer }: Entry): string => `${(answer?.size ?? 0).toLocaleString('en')} bytes`

/** What the page of a request says about a stream, after its size. */
const endOf = (entry: Entry): string => {
  if (isOpen(entry)) return ' so far: it is open'
  return entry.answer?.streams ? `, ended after ${timeSpent(entry)}` : ''
}

const timeOf = ({ at }: Entry): string => at.toTimeString().slice(0, 8)

/** Depth of the deepest indent that has a style. */
const MAX_DEPTH = 5

const stepsOn = (html: Html, { steps, took }: Outcome): Markup => {
  const scale = took > 0 ? 100 / took : 0
  const rows = steps.map(
    (
      step,
    ) => html`<tr class="${step.failed ? 'failed' : ''}"><td><div class="d${Math.min(step.depth, MAX_DEPTH)}">${step.name}</div>
<td class="wide"><svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true"><rect x="${step.from * scale}" y="2" width="${Math.max(step.took * scale, 0.4)}" height="6"/><rect class="own" x="${step.from * scale}" y="2" width="${Math.max(step.ownTime * scale, 0.4)}" height="6"/></svg>
<td class="number">${duration(step.ownTime)}<td class="number wide soft">${duration(step.took)}`,
  )
  if (rows.length === 0) return html`<h2>Steps</h2><p class="soft">None: something before the middleware responded.</p>`
  return html`<h2>Steps</h2>
<div class="card"><table class="steps"><thead><tr><th>Step<th class="wide">Timeline<th class="number">Own time<th class="number wide">Total time</thead>
<tbody>${rows}</tbody></table></div>`
}

const bodyOn = (html: Html, title: string, body: Body): Markup =>
  html`<h2>${title}</h2><div class="card"><pre>${textOfBody(body) || '(empty)'}</pre></div>`

const queriesOn = (html: Html, { queries }: Entry): Markup => {
  const rows = queries.map(
    ({ sql, took, rows }) => html`<tr><td>${sql}
<td class="number">${rows ?? html`<span class="bad">failed</span>`}
<td class="number">${duration(took)}`,
  )
  const sum = queries.reduce((total, { took }) => total + took, 0)
  return html`<h2>Database</h2><p class="soft">${queries.length === 1 ? 'One statement' : `${queries.length} statements`} in ${duration(sum)}. Parameters are not shown.</p>
<div class="card"><table><thead><tr><th>SQL<th class="number">Rows<th class="number">Time</thead><tbody>${rows}</tbody></table></div>`
}

/** False for what `sluice dev` itself adds: it closes connections, and marks what it sends again. */
const isForeign = ([name]: Entry['headers'][number]): boolean => name !== 'connection' && name !== REPEATS

const errorOn = (html: Html, error: NonNullable<Outcome['error']>): Markup => {
  const { causes, stack, step } = error
  return html`<h2>Error</h2><p><strong class="bad">${titleOf(error)}</strong><br>${causes.map((cause) => html`caused by ${cause}<br>`)}<span class="soft">thrown by the ${step}</span></p>
${stack !== '' && html`<div class="card"><pre>${stack}</pre></div>`}`
}

const fieldsOn = (html: Html, fields: Entry['headers']): Markup => {
  const rows = fields.map(
    ([name, value]) => html`<tr><td>${name}<td class="path">${isSecretName(name) ? HIDDEN : withoutSecretParts(value)}`,
  )
  return html`<div class="card">${rows.length === 0 ? html`<p class="empty">None.</p>` : html`<table class="fields">${rows}</table>`}</div>`
}
