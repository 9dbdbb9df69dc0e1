import { appendText, type Markup, markupOf, RawMarkup } from './internal/markup/markup.ts'
import { type Piece, readTemplate } from './internal/markup/template.ts'

export type { Markup } from './internal/markup/markup.ts'

const templates = new WeakMap<readonly string[], readonly Piece[]>()

/**
 * Markup from a template. Each value is escaped for its context.
 *
 * - In text: strings and numbers are escaped, markup is not escaped again, items of an iterable are written in turn.
 *   `undefined`, `null` and booleans write nothing. Promises and asynchronous iterators are awaited in order.
 * - In quotes, `title="${value}"`: `null`, `undefined` and `false` are empty; spaces separate the items of a list.
 * - As a whole attribute, `hidden=${value}`: quotes are added. `true` writes only the name; `false`, `null` and
 *   `undefined` leave the attribute out.
 * - In a URL (`href`, `src`, `action`, `srcset` …): a scheme other than http, https, mailto, tel, sms and ftp makes the
 *   value `about:invalid`.
 * - In `style`: letters, digits, spaces and `.,%#+-`, else the value is `invalid`. A record becomes declarations.
 * - In `<script type="application/json">`: the value as JSON.
 *
 * @throws {TypeError} for a value in an event handler, `srcdoc`, `script`, `style`, a comment, or the name of a tag or
 * an attribute, and for an incomplete template. `raw` is accepted where the value is content.
 * @example
 * html`<a href="${user.url}">${user.name}</a>`
 */
export const html = (strings: TemplateStringsArray, ...values: readonly unknown[]): Markup => {
  if (!Array.isArray(strings) || !('raw' in strings)) throw new TypeError(NO_TEMPLATE)
  let pieces = templates.get(strings)
  if (!pieces) {
    pieces = readTemplate(strings)
    templates.set(strings, pieces)
  }
  return markupOf((value, parts) => {
    for (const piece of value) {
      if (typeof piece === 'string') appendText(parts, piece)
      else piece(values, parts)
    }
  }, pieces)
}

const NO_TEMPLATE = 'html: expected a template, as in html`<p>`; html(markup) of sluice/respond/html makes a response'

/**
 * Markup from a trusted string, without escaping: never pass user input. In an attribute it may be any URL or code.
 *
 * @example
 * html`<article>${raw(renderedMarkdown)}</article>`
 */
export const raw = (markup: string): Markup => new RawMarkup([String(markup)])
