import type { Frame } from './frame.ts'
import { STYLE } from './inspector/style.ts'

/**
 * Headers of the pages of `sluice dev`: no cache may store them, no page may frame them, and they load nothing from
 * elsewhere. A form must send its origin, which `no-referrer` would hide.
 *
 * @param styles which styles apply, as a policy names them
 * @param scripts which scripts run
 */
export const pageHeaders = (styles = "'self'", scripts = "'self'"): Record<string, string> => ({
  'cache-control': 'no-store',
  'content-security-policy':
    `default-src 'none'; script-src ${scripts}; style-src ${styles}; img-src 'self'; connect-src 'self'; ` +
    "form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
})

/** A page about an error, with its style in it. The title is text, the body is markup. */
export const layout = (title: string, body: string): string => `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escapeMarkup(title)}</title>
<style>${STYLE}</style>
<main><h1>${escapeMarkup(title)}</h1>
${body}
</main>
</html>
`

/** The lines around a place, with the place marked; empty without a place. */
export const sourceOf = (frame: Frame | undefined): string => {
  if (frame === undefined) return ''
  const lines = frame.source.map(({ number, text }) => {
    const code = `${String(number).padStart(5)}  ${escapeMarkup(text)}`
    return number === frame.line ? `<mark>${code}</mark>` : code
  })
  return card(`<pre>${lines.join('\n')}</pre>`)
}

/** Markup in a box. */
export const card = (body: string): string => `<div class="card">${body}</div>`

/** Escape text for HTML. */
export const escapeMarkup = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
