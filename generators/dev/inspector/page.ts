import type { html, Markup } from '../../../src/html.ts'
import { pageHeaders } from '../layout.ts'

/** `html` of the project's sluice, which escapes each value for its context. */
export type Html = typeof html

/** Pages of the inspector, by their paths. */
const PAGES = [
  ['/__sluice', 'Requests'],
  ['/__sluice/routes', 'Routes'],
  ['/__sluice/application', 'Application'],
] as const

/** The parts of a page. */
export interface Content {
  readonly title: string
  /** Path of its entry in the menu. */
  readonly menu: (typeof PAGES)[number][0]
  readonly body: Markup
  readonly status?: number
  /** The newest entry, on a page that reloads with new requests. */
  readonly last?: string
}

/** The response with a page. */
export const pageOf = (html: Html, { title, menu, body, status = 200, last }: Content): Response => {
  const links = PAGES.map(
    ([path, name]) => html`<a href="${path}" aria-current=${path === menu ? 'page' : undefined}>${name}</a>`,
  )
  const follow = last === undefined ? '' : html`<script src="/__sluice/inspector.js" defer></script>`
  const page = html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title} · sluice dev</title>
<link rel="icon" href="/__sluice/icon.svg">
<link rel="stylesheet" href="/__sluice/inspector.css">
<script src="/__sluice/reload.js" defer></script>
${follow}
<header><strong>sluice dev</strong><nav>${links}</nav></header>
<main data-last=${last}>
${body}
</main>
</html>
`
  return new Response(page.toBody(), {
    status,
    headers: { ...pageHeaders(), 'content-type': 'text/html; charset=utf-8' },
  })
}

/** A duration in milliseconds, as text. */
export const duration = (ms: number): string =>
  ms < 10 ? `${ms.toFixed(1)} ms` : ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`

/** Class of the style for a status. */
export const statusClass = (status: number): string => (status < 400 ? 'good' : status < 500 ? 'warn' : 'bad')
