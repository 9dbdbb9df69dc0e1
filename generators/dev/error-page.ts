import { hintOf } from './explain.ts'
import { type Frame, frameOf } from './frame.ts'
import { escapeMarkup, layout, PAGE_HEADERS, sourceOf } from './layout.ts'
import { HIDDEN, isSecretName, withoutSecretParts, withoutSecrets } from './secrets.ts'
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
  const error = failure.error instanceof Error ? failure.error : new Error(`Thrown: ${textOf(failure.error)}`)
  const stack = typeof error.stack === 'string' ? error.stack : String(error.message)
  const frame = failure.error instanceof Error ? frameOf(error, root) : undefined
  const hint = hintFor(failure, frame)
  if (hint !== undefined) console.error(hint) // below the error, which the application has logged
  const isPage = (request.headers.get('accept') ?? '').includes('text/html')
  const type = isPage ? 'text/html; charset=utf-8' : 'application/json'
  const body = isPage
    ? pageOf(error, stack, failure.step, hint, frame, request, script)
    : dataOf(error, stack, failure, hint, frame, request)
  const headers = {
    ...PAGE_HEADERS,
    'content-type': type,
    ...(isPage && script !== undefined && { [POLICY]: policyOf() }),
  }
  return new Response(body, { status, headers })
}

const hintFor = ({ error, conduct }: Failure, frame: Frame | undefined): string | undefined =>
  hintOf(error, conduct, frame?.source.find(({ number }) => number === frame.line)?.text)

const POLICY = 'content-security-policy'

/** The page may run scripts of this origin, which may send requests to it. */
const policyOf = (): string => `${PAGE_HEADERS[POLICY]}; script-src 'self'; connect-src 'self'`

const textOf = (thrown: unknown): string => {
  try {
    return String(thrown)
  } catch {
    return typeof thrown
  }
}

const dataOf = (
  error: Error,
  stack: string,
  { step }: Failure,
  hint: string | undefined,
  frame: Frame | undefined,
  request: Request,
): string =>
  JSON.stringify({
    error: error.message,
    name: error.name,
    hint,
    step,
    where: frame && `${frame.file}:${frame.line}:${frame.column}`,
    request: { method: request.method, url: withoutSecrets(request.url) },
    stack: stack.split('\n'),
  })

const pageOf = (
  error: Error,
  stack: string,
  step: string,
  hint: string | undefined,
  frame: Frame | undefined,
  request: Request,
  script: string | undefined,
): string => {
  const escape = escapeMarkup
  const fields = [...request.headers].map(
    ([name, value]) => `<tr><th>${escape(name)}<td>${isSecretName(name) ? HIDDEN : escape(withoutSecretParts(value))}`,
  )
  const where = frame ? `, in <code>${escape(frame.file)}:${frame.line}:${frame.column}</code>` : ''
  return layout(
    `${error.name}: ${error.message}`,
    `${hint === undefined ? '' : `<p><strong>${escape(hint)}</strong></p>\n`}<p>Thrown by the ${escape(step)}${where}</p>
${sourceOf(frame)}
<h2>Request</h2><p><code>${escape(request.method)} ${escape(withoutSecrets(request.url).replaceAll('%28hidden%29', HIDDEN))}</code></p>
<table>${fields.join('')}</table>
<h2>Stack</h2><pre class="wrap">${escape(stack)}</pre>${script === undefined ? '' : `\n<script src="${script}" async></script>`}`,
  )
}
