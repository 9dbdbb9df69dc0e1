/** The response on the page: status, fields, body, events and what the program printed; and the cookies that it set. */
import { $, element } from './dom.ts'
import type { Message } from './program.ts'

const REASONS: Readonly<Record<number, string>> = {
  200: 'OK',
  201: 'Created',
  204: 'No Content',
  301: 'Moved Permanently',
  302: 'Found',
  303: 'See Other',
  304: 'Not Modified',
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
}
/** Longest text that is kept of a body, in characters. */
const LONGEST = 200_000

const status = $('status', HTMLElement)
const output = $('output', HTMLElement)
const fields = $('fields', HTMLElement)
const logs = $('logs', HTMLElement)
const events = $('events', HTMLElement)

/** What a browser would send back. */
export const cookies = new Map<string, string>()

export const say = (text: string, kind: 'good' | 'bad' | 'plain' = 'plain'): void => {
  status.textContent = text
  status.dataset.kind = kind
}

export const log = (level: string, text: string): void => {
  logs.append(element('div', `log ${level}`, text))
  $('console', HTMLElement).hidden = false
}

/** A program that begins anew knows nothing of before. */
export const forget = (): void => {
  logs.replaceChildren()
  $('console', HTMLElement).hidden = true
  cookies.clear()
}

export const clear = (): void => {
  output.textContent = ''
  fields.replaceChildren()
  events.replaceChildren()
  $('stream', HTMLElement).hidden = true
  rest = ''
  say('…')
}

const keepCookie = (field: string): void => {
  const [, name, value = ''] = /^([^=]+)=([^;]*)/.exec(field) ?? []
  if (!name) return
  if (/max-age=0\b|expires=thu, 01 jan 1970/i.test(field)) cookies.delete(name)
  else cookies.set(name, value)
}

let streams = false
let rest = ''

/** Each complete event of a stream as a row: its name, its id, its data. */
const showEvents = (text: string): void => {
  const parts = (rest + text).split('\n\n')
  rest = parts.pop() ?? ''
  for (const part of parts) {
    const field = (name: string): string => new RegExp(`^${name}: ?(.*)$`, 'm').exec(part)?.[1] ?? ''
    if (!/^data:/m.test(part)) continue
    const row = element('li', 'event')
    row.append(
      element('b', '', field('event') || 'message'),
      element('span', 'id', field('id')),
      element('code', '', field('data')),
    )
    events.append(row)
  }
}

const showHead = ({ status: code, headers, ms }: Extract<Message, { kind: 'head' }>): void => {
  say(`${code} ${REASONS[code] ?? ''} · ${ms < 1 ? '<1' : Math.round(ms)} ms`, code < 400 ? 'good' : 'bad')
  streams = false
  for (const [name, value] of headers) {
    fields.append(element('dt', '', name), element('dd', '', value))
    if (name === 'set-cookie') keepCookie(value)
    if (name === 'content-type') streams = value.startsWith('text/event-stream')
  }
  $('stream', HTMLElement).hidden = !streams
}

/** Show what came. */
export const showMessage = (message: Message): void => {
  if (message.kind === 'log') log(message.level, message.text)
  else if (message.kind === 'head') showHead(message)
  else if (message.kind === 'part') {
    output.textContent = ((output.textContent ?? '') + message.text).slice(-LONGEST)
    if (streams) showEvents(message.text)
  } else if (message.kind === 'failed') say(message.text, 'bad')
  else if (message.kind === 'end') {
    output.textContent = pretty(output.textContent ?? '')
    document.documentElement.dataset.answered = String(message.id)
  }
}

const pretty = (text: string): string => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
