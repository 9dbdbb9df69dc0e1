/** Where each middleware stands, outermost first, by the names of their pages. `routing.md` has the short form in words. */
import { readFileSync } from 'node:fs'

const ORDER = [
  ['before everything', ['trusted-proxy', 'load-shedding', 'request-id', 'logger']],
  ['headers', ['helmet', 'security-headers', 'cors']],
  ['responses', ['compression', 'etag', 'cache', 'timeout', 'conveniences']],
  ['bodies', ['body-limit', 'body-parser', 'sanitizer', 'language']],
  ['who asks', ['session', 'csrf', 'rate-limiter', 'ip-restriction', 'basic-auth', 'bearer-auth', 'api-key', 'jwt']],
  ['the route', ['api-version', 'versioned', 'deprecation', 'request-scope', 'idempotency', 'webhook', 'validator']],
]

/** The picture of the order as HTML, with one name marked. `undefined` for a page that has no place, such as `combine`. */
export const placeOf = (name) => {
  if (!ORDER.some(([, names]) => names.includes(name))) return undefined
  return `<div class="order" role="group" aria-label="Where ${name} stands in the order">${pieces(name)}</div>\n${importOf(name)}`
}

/** The whole picture, for the page of all middleware. */
export const wholeOrder = () => `<div class="order whole">${pieces()}</div>`

const pieces = (marked) =>
  [
    '<span class="end">request</span>',
    ...ORDER.map(([stage, names]) => {
      const own = names.includes(marked)
      const links = names.map((name) =>
        name === marked ? `<strong>${name}</strong>` : `<a href="/middleware/${name}">${name}</a>`,
      )
      return `<span class="stage${own ? ' own' : ''}"><b>${stage}</b><i>${own || !marked ? links.join(' ') : ''}</i></span>`
    }),
    '<span class="end">handler</span>',
  ].join('')

const api = readFileSync(new URL('../docs/api.md', import.meta.url), 'utf8')

/** The import of a middleware, with its bytes and its page in the reference. */
const importOf = (name) => {
  const bytes = new RegExp(`^\\| \`sluice/middleware/${name}\` \\| ([\\d,]+) \\|`, 'm').exec(api)?.[1]
  if (!bytes) return ''
  const subpath = `sluice/middleware/${name}`
  return `\n[\`${subpath}\`](/reference/middleware/${name}) · ${bytes} bytes for the edge, gzip\n`
}
