import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { stripVTControlCharacters } from 'node:util'
import { type Frame, frameInOutput } from './frame.ts'
import { card, escapeMarkup, layout, pageHeaders, sourceOf } from './layout.ts'
import { FORWARDED, isLocalHost } from './local.ts'

/** The server that replaces an application which did not start, or has exited. */
export interface FailurePage {
  readonly close: () => Promise<void>
}

/** The address of the server, and the folder of the sources that it may show. */
export interface FailurePlace {
  readonly root: string
  readonly port: number
  readonly host: string
}

/** Header that tells the page whether the application is back, because its responses do not have it. */
const MARK = 'x-sluice-dev'

/** Respond to every request on the application's port with its last output, until it is started again. */
export const openFailurePage = async ({ root, port, host }: FailurePlace, said: string): Promise<FailurePage> => {
  const words = stripVTControlCharacters(said).trim()
  // Read now, because the file may change while the page is shown.
  const frame = frameInOutput(words, root)
  const server = createServer((request, response) => answer(request, response, words, frame))
  await listenPatiently(server, port, host)
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/**
 * How often to try the port, which the ended application may still use, and the pause between tries, in milliseconds.
 */
const TRIES = 100
const PAUSE_MS = 20

const listenPatiently = async (server: Server, port: number, host: string): Promise<void> => {
  for (let tries = 1; ; tries++) {
    server.listen(port, host)
    try {
      await once(server, 'listening')
      return
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE' || tries === TRIES) throw error
      await delay(PAUSE_MS)
    }
  }
}

const TITLE = 'The application is not running'

const answer = (request: IncomingMessage, response: ServerResponse, words: string, frame: Frame | undefined): void => {
  request.resume()
  const { host, 'x-forwarded-host': forwarded, accept = '' } = request.headers
  const nonce = randomBytes(16).toString('base64')
  const fields = { ...pageHeaders("'unsafe-inline'", `'nonce-${nonce}'`), [MARK]: 'failed', connection: 'close' }
  const json = { ...fields, 'content-type': 'application/json' }
  const tunnelled = FORWARDED.some((name) => name in request.headers)
  if (tunnelled || !isLocalHost(host ?? '', forwarded?.toString(), request.socket.remoteAddress)) {
    response.writeHead(503, json).end(JSON.stringify({ error: 'Service Unavailable' }))
  } else if (!accept.includes('text/html')) {
    response.writeHead(500, json).end(JSON.stringify({ error: TITLE, output: words.split('\n') }))
  } else {
    const html = { ...fields, 'content-type': 'text/html; charset=utf-8' }
    response.writeHead(500, html).end(layout(TITLE, bodyOf(words, frame, nonce)))
  }
}

/** Polls until the application responds again, and then reloads. */
const RELOAD = `setInterval(() => fetch(location.href, { method: 'HEAD', cache: 'no-store' }).then(
  (response) => response.headers.get('${MARK}') === 'failed' || location.reload(), () => {}), 300)`

/** The line that says what is wrong, as esbuild, Node with `[ERR_…]`, or Deno and Bun with `error: ` print it. */
const reasonIn = (words: string): string | undefined =>
  (/: ERROR: (.{1,500})$/m.exec(words) ??
    /^(?:Uncaught |error: )?(\w*(?:Error|Exception)\b.{0,50}: .{1,500})$/m.exec(words) ??
    /^error: (.{1,500})$/m.exec(words))?.[1]

const bodyOf = (words: string, frame: Frame | undefined, nonce: string): string => {
  const where = frame ? `<p>In <code>${escapeMarkup(frame.file)}:${frame.line}</code></p>` : ''
  const reason = reasonIn(words)
  return `${reason === undefined ? '' : `<p class="reason">${escapeMarkup(reason)}</p>`}${where}
${sourceOf(frame)}
<p>Correct it and save the file: this page then reloads.</p>
<h2>Output</h2>${card(`<pre>${escapeMarkup(words)}</pre>`)}
<script nonce="${nonce}">${RELOAD}</script>`
}
