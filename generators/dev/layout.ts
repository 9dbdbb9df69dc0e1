import type { Frame } from './frame.ts'

/** Headers of the page: no cache may store it, and it runs no script. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

const STYLE = `:root{color-scheme:light dark}
body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#222;background:#fff}
h1{font-size:1.4rem;overflow-wrap:anywhere}pre{background:#f4f4f4;padding:1rem;overflow:auto;font-size:.85rem}
mark{background:#ffd7d7;color:inherit;display:inline-block;min-width:100%}
th{text-align:left;padding-right:1rem;vertical-align:top}td{word-break:break-all}
@media(prefers-color-scheme:dark){body{color:#ddd;background:#181818}pre{background:#242424}mark{background:#5a2020}}`

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
