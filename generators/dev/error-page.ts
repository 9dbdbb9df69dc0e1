import { existsSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Failure } from './errors.ts'

/** Where in the project's own code an error was made. */
interface Frame {
  readonly file: string
  readonly line: number
  readonly column: number
  /** Lines around it, with their numbers. */
  readonly source: readonly { readonly number: number; readonly text: string }[]
}

/** The answer to a request that failed: a page for browsers, the same as JSON for everything else. */
export const renderErrorPage = (failure: Failure, request: Request, original: Response): Response => {
  const error = failure.error instanceof Error ? failure.error : new Error(`Thrown: ${String(failure.error)}`)
  const stack = error.stack ?? String(error)
  const frame = frameOf(stack)
  const headers = new Headers(original.headers)
  for (const name of ['content-length', 'content-encoding', 'etag', 'content-security-policy']) headers.delete(name)
  headers.set('cache-control', 'no-store')
  if (!(request.headers.get('accept') ?? '').includes('text/html')) {
    headers.set('content-type', 'application/json')
    const { method, url } = request
    const where = frame && `${frame.file}:${frame.line}:${frame.column}`
    return new Response(
      JSON.stringify({
        error: error.message,
        name: error.name,
        step: failure.step,
        where,
        request: { method, url },
        stack: stack.split('\n'),
      }),
      { status: original.status, headers },
    )
  }
  headers.set('content-type', 'text/html; charset=utf-8')
  return new Response(pageOf(error, stack, failure.step, frame, request), { status: original.status, headers })
}

/** The first frame of the stack that is the project's own. */
const frameOf = (stack: string): Frame | undefined => {
  for (const [, url = '', line = '', column = ''] of stack.matchAll(
    /((?:file:\/\/)?\/[^\s()]+?)(?:\?[^\s():]*)?:(\d+):(\d+)/g,
  )) {
    const path = url.startsWith('file://') ? fileURLToPath(url) : url
    if (path.includes('/node_modules/') || !path.startsWith(process.cwd()) || !existsSync(path)) continue
    return {
      file: relative(process.cwd(), path),
      line: Number(line),
      column: Number(column),
      source: around(path, Number(line)),
    }
  }
  return undefined
}

/** Lines shown before and behind the one that failed. */
const MARGIN = 5

const around = (path: string, line: number): Frame['source'] =>
  readFileSync(path, 'utf8')
    .split('\n')
    .map((text, index) => ({ number: index + 1, text }))
    .slice(Math.max(0, line - 1 - MARGIN), line + MARGIN)

/** Credentials are not shown: pages end up in screenshots. */
const SECRET = /^(?:authorization|cookie|proxy-authorization|x-api-key)$/

const pageOf = (error: Error, stack: string, step: string, frame: Frame | undefined, request: Request): string => {
  const fields = [...request.headers].map(
    ([name, value]) => `<tr><th>${escape(name)}<td>${SECRET.test(name) ? '(hidden)' : escape(value)}`,
  )
  const lines = frame?.source.map(({ number, text }) => {
    const code = `${String(number).padStart(5)}  ${escape(text)}`
    return number === frame.line ? `<mark>${code}</mark>` : code
  })
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>${escape(error.message)}</title>
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#222;background:#fff}
h1{font-size:1.4rem}pre{background:#f4f4f4;padding:1rem;overflow:auto;font-size:.85rem}mark{background:#ffd7d7;display:inline-block;min-width:100%}
th{text-align:left;padding-right:1rem;vertical-align:top}td{word-break:break-all}@media(prefers-color-scheme:dark){body{background:#181818;color:#ddd}pre{background:#242424}mark{background:#5a2020;color:#fff}}</style>
<h1>${escape(error.name)}: ${escape(error.message)}</h1>
<p>Thrown by the ${escape(step)}${frame ? `, in <code>${escape(frame.file)}:${frame.line}:${frame.column}</code>` : ''}</p>
${lines ? `<pre>${lines.join('\n')}</pre>` : ''}
<h2>Request</h2><p><code>${escape(request.method)} ${escape(request.url)}</code></p><table>${fields.join('')}</table>
<h2>Stack</h2><pre>${escape(stack)}</pre></html>
`
}

const escape = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
