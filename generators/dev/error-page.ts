import { type Frame, frameOf } from './frame.ts'
import { card, escapeMarkup, layout, pageHeaders, sourceOf } from './layout.ts'
import { HIDDEN, isSecretName, withoutSecretParts, withoutSecrets } from './secrets.ts'
import { readThrown, shorten, shortStack, type Thrown, titleOf } from './thrown.ts'
import type { Failure } from './trace.ts'

/**
 * The response to a request that failed: a page for browsers, the same as JSON for all other clients. Only the
 * status comes from the original response, so no header of the application makes the page readable for other origins.
 *
 * @param script path of a script of this origin that the page runs
 */
export const renderErrorPage = (
  failure: Failure,
  request: Request,
  status: number,
  root: string,
  script?: string,
): Response => {
  const thrown = readThrown(failure.error)
  const frame = thrown.isError ? frameOf(thrown, root) : undefined
  const isPage = (request.headers.get('accept') ?? '').includes('text/html')
  const type = isPage ? 'text/html; charset=utf-8' : 'application/json'
  const report: Report = { thrown, step: failure.step, frame, request, script }
  const headers = { ...pageHeaders("'unsafe-inline'"), 'content-type': type }
  return new Response(isPage ? pageOf(report) : dataOf(report), { status, headers })
}

/** What the page shows. */
interface Report {
  readonly thrown: Thrown
  readonly step: string
  readonly frame: Frame | undefined
  readonly request: Request
  readonly script: string | undefined
}

const dataOf = ({ thrown, step, frame, request }: Report): string =>
  JSON.stringify({
    error: shorten(thrown.message),
    name: thrown.name,
    causes: thrown.causes,
    step,
    where: frame && `${frame.file}:${frame.line}:${frame.column}`,
    request: { method: request.method, url: withoutSecrets(request.url) },
    stack: thrown.stack === '' ? [] : shortStack(thrown).split('\n'),
  })

const pageOf = ({ thrown, step, frame, request, script }: Report): string => {
  const escape = escapeMarkup
  const fields = [...request.headers].map(
    ([name, value]) => `<tr><td>${escape(name)}<td>${isSecretName(name) ? HIDDEN : escape(withoutSecretParts(value))}`,
  )
  const where = frame ? `, in <code>${escape(frame.file)}:${frame.line}:${frame.column}</code>` : ''
  const causes = thrown.causes.map((cause) => `<p>Caused by <strong>${escape(cause)}</strong></p>\n`)
  return layout(
    titleOf(thrown),
    `${causes.join('')}<p>Thrown by the ${escape(step)}${where}</p>
${sourceOf(frame)}
<h2>Request</h2><p><code>${escape(request.method)} ${escape(withoutSecrets(request.url).replaceAll('%28hidden%29', HIDDEN))}</code></p>
${card(`<table class="fields">${fields.join('')}</table>`)}${thrown.stack === '' ? '' : `\n<h2>Stack</h2>${card(`<pre>${escape(shortStack(thrown))}</pre>`)}`}${script === undefined ? '' : `\n<script src="${script}" async></script>`}`,
  )
}
