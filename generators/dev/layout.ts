import type { Frame } from './frame.ts'
import { PALETTE } from './inspector/style.ts'

/** Headers of the page: no cache may store it, and it runs no script. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

const STYLE = `:root{${PALETTE}}
body{font:15px/1.5 system-ui,sans-serif;max-width:64rem;margin:2rem auto;padding:0 1rem;color:var(--ink);background:var(--ground)}
h1{font-size:1.4rem;line-height:1.3;overflow-wrap:anywhere}h2{font-size:1.05rem;margin:1.75rem 0 .5rem}
code,pre,td{font:13px/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;overflow-wrap:anywhere}
pre{background:var(--card);border:1px solid var(--line);border-radius:10px;margin:.5rem 0;padding:.9rem;overflow:auto}
pre.wrap{white-space:pre-wrap}
mark{background:light-dark(#ffd7d7,#5a2020);color:inherit;display:inline-block;min-width:100%}
.reason{color:var(--bad);font-weight:600;overflow-wrap:anywhere}
table{border-collapse:collapse}th,td{text-align:left;padding:.2rem 1rem .2rem 0;vertical-align:top}th{font-weight:400;color:var(--soft)}`

/** A page of `sluice dev`. The title is text, the body is markup. */
export const layout = (title: string, body: string): string => `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escapeMarkup(title)}</title>
<style>${STYLE}</style>
<h1>${escapeMarkup(title)}</h1>
${body}
</html>
`

/** The lines around a place, with the place marked; empty without a place. */
export const sourceOf = (frame: Frame | undefined): string => {
  if (frame === undefined) return ''
  const lines = frame.source.map(({ number, text }) => {
    const code = `${String(number).padStart(5)}  ${escapeMarkup(text)}`
    return number === frame.line ? `<mark>${code}</mark>` : code
  })
  return `<pre>${lines.join('\n')}</pre>`
}

/** Escape text for HTML. */
export const escapeMarkup = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
