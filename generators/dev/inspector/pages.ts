import type { Markup } from '../../../src/html.ts'
import type { explainRequest } from '../../../src/pipe/list-routes.ts'
import { isRequestPath, METHODS, type Order, orderOf } from '../../commands/routes/request-order.ts'
import { pageHeaders } from '../layout.ts'
import { settingsOf } from '../secrets.ts'
import type { RequestLog } from './log.ts'
import type { InspectorOptions } from './options.ts'
import { type Html, pageOf } from './page.ts'
import { canRepeat, repeat } from './repeat.ts'
import { listPage, requestPage } from './request-pages.ts'
import { SCRIPT, STYLE } from './style.ts'

/** What the pages show. */
export interface Visitor extends InspectorOptions {
  readonly log: RequestLog
  readonly explainRequest: typeof explainRequest
  readonly html: Html
  readonly request: Request
}

/** The response to a request of a client that may see the pages. */
export const inspect = async (visitor: Visitor): Promise<Response> => {
  const { request, html, log } = visitor
  const { pathname, searchParams } = new URL(request.url)
  const path = pathname.slice('/__sluice'.length)
  const [, id, action] = /^\/requests\/(\d{1,12})(\/repeat)?$/.exec(path) ?? []
  if (id !== undefined && action !== undefined) return repeated(visitor, Number(id))
  if (path === '/clear' && request.method === 'POST') {
    log.clear()
    return plain('', 'text/plain', 303, { location: '/__sluice' })
  }
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return plain('Use GET', 'text/plain', 405, { allow: 'GET, HEAD' })
  if (path === '/inspector.css') return plain(STYLE, 'text/css; charset=utf-8')
  if (path === '/inspector.js') return plain(SCRIPT, 'text/javascript; charset=utf-8')
  if (path === '/icon.svg') return plain(ICON, 'image/svg+xml')
  if (path === '/last') return plain(newestOf(log), 'text/plain')
  if (path === '' || path === '/')
    return pageOf(html, {
      title: 'Requests',
      menu: '/__sluice',
      body: listPage(html, log, searchParams.get('find') ?? ''),
      last: newestOf(log),
    })
  const entry = id === undefined ? undefined : log.find(Number(id))
  if (entry !== undefined)
    return pageOf(html, { title: `Request ${entry.id}`, menu: '/__sluice', body: requestPage(html, entry) })
  if (path === '/routes')
    return pageOf(html, { title: 'Routes', menu: '/__sluice/routes', body: await routesPage(visitor, searchParams) })
  if (path === '/application')
    return pageOf(html, { title: 'Application', menu: '/__sluice/application', body: applicationPage(visitor) })
  const body = html`<h1>Page not found</h1><p>The inspector keeps the last requests of one process. Each change of the sources starts a new one.</p>`
  return pageOf(html, { title: 'Page not found', menu: '/__sluice', status: 404, body })
}

/** Changes with each request that begins or ends, and with each stream that ends. */
const newestOf = (log: RequestLog): string => {
  const all = log.all()
  const ends = all.filter(({ answer }) => answer?.end !== undefined).length
  return `${all[0]?.id ?? 0}-${all.filter(({ outcome }) => outcome !== undefined).length}-${ends}`
}

const plain = (body: string, type: string, status = 200, more: Record<string, string> = {}): Response =>
  new Response(body, { status, headers: { ...pageHeaders(), ...more, 'content-type': type } })

const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="4" fill="#0b57d0"/>' +
  '<path d="M4 5h8M4 8h8M4 11h5" stroke="#fff" stroke-width="1.6" stroke-linecap="round"/></svg>'

const repeated = async ({ request, html, log, port, host }: Visitor, id: number): Promise<Response> => {
  if (request.method !== 'POST') return plain('Use POST', 'text/plain', 405, { allow: 'POST' })
  const entry = log.find(id)
  const fail = (words: string): Response =>
    pageOf(html, {
      title: 'Not repeated',
      menu: '/__sluice',
      status: 409,
      body: html`<h1>Not repeated</h1><p>${words}</p>`,
    })
  if (entry === undefined || !canRepeat(entry)) return fail('Its body was not kept, or it switches protocols.')
  try {
    await repeat(entry, port, host)
    const made = log.all().find(({ repeats }) => repeats === id)
    if (made === undefined) return fail('Something before the application responded.')
    return plain('', 'text/plain', 303, { location: `/__sluice/requests/${made.id}` })
  } catch (error) {
    return fail((error as Error).message)
  }
}

const routesPage = async ({ html, app, explainRequest }: Visitor, query: URLSearchParams): Promise<Markup> => {
  const method = METHODS.find((name) => name === query.get('method')) ?? 'GET'
  const path = query.get('path') ?? ''
  const order = isRequestPath(path) ? orderOf(explainRequest, app, method, path) : undefined
  const options = METHODS.map((name) => html`<option selected=${name === method}>${name}</option>`)
  const rows = app.routes().map(
    (
      route,
    ) => html`<tr><td>${route.method}<td class="path">${route.path}${route.duplicate && html` <span class="warn">never reached</span>`}
<td class="path whole">${route.handler || html`<span class="soft">anonymous</span>`}
<td class="path wide">${namesOf(route.middleware).join(' → ')}`,
  )
  return html`<h1>Routes</h1>
<p class="soft">Enter a path to see the middleware and the handler of a request. Nothing is sent.</p>
<form action="/__sluice/routes"><select name="method" aria-label="Method">${options}</select>
<input name="path" value="${path}" placeholder="/path" aria-label="Path" autocomplete="off"><button>Show</button></form>
${path !== '' && (order === undefined ? html`<p class="bad">The path must begin with one slash.</p>` : orderOn(html, order))}
<div class="card">${
    rows.length === 0
      ? html`<p class="empty">There are no routes.</p>`
      : html`<table>
<thead><tr><th>Method<th>Path<th>Handler<th class="wide">Middleware</thead><tbody>${rows}</tbody></table>`
  }</div>`
}

/** The names without the two steps that `sluice dev` adds to the application. */
const namesOf = (names: readonly string[]): readonly string[] =>
  names.filter((name) => !name.startsWith('sluiceDev')).map((name) => name || '(anonymous)')

const orderOn = (html: Html, { middleware, route, handler, params }: Order): Markup => {
  const values = Object.entries(params).map(([name, value]) => html`<code>${name} = ${value}</code> `)
  const end =
    route === undefined
      ? html`<li class="warn">no route matches`
      : html`<li><strong class="mono">${route}</strong> ${handler}`
  return html`<div class="card"><ol class="mono">${middleware.map((name) => html`<li>${name}`)}${end}</ol></div>
${values.length > 0 && html`<p class="soft">Parameters: ${values}</p>`}`
}

const LIFETIMES: Readonly<Record<string, string>> = { makeOnce: 'one value', makeEach: 'created each time' }

const applicationPage = ({ html, app }: Visitor): Markup => {
  const { bindings } = app.container
  const rows = [...bindings].map(
    ([name, { lifetime }]) => html`<tr><td>${name}<td class="soft">${LIFETIMES[lifetime.name] ?? lifetime.name}`,
  )
  const lines = settingsOf(configOf(app)).map(([name, value]) => html`<tr><td>${name}<td class="path">${value}`)
  return html`<h1>Application</h1>
<h2>Container</h2>
<div class="card">${rows.length === 0 ? html`<p class="empty">Nothing is bound.</p>` : html`<table class="fields">${rows}</table>`}</div>
<h2>Configuration</h2>
<div class="card">${lines.length === 0 ? html`<p class="empty">None.</p>` : html`<table class="fields">${lines}</table>`}</div>
<p class="soft">Values with names that suggest a secret are hidden. This page creates nothing in the container except <code>config</code>.</p>`
}

const configOf = ({ container }: Visitor['app']): unknown => {
  if (!container.has('config')) return {}
  try {
    return (container.make('config') as { all: () => unknown }).all()
  } catch (error) {
    return { config: `cannot be created: ${(error as Error).message}` }
  }
}
