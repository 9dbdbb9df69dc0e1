import { isPromise, markHandled } from '../promise/awaitable.ts'

/** The parts of markup. Adjacent strings are joined, so markup without promises has at most one part. */
export type Part = string | Markup | Later

/** Values that arrive later, and the function that writes each. */
interface Later {
  readonly source: Iterable<Promise<unknown>> | AsyncIterable<unknown>
  readonly write: Write
}

export type Write = (value: any, parts: Part[]) => void // any: a list of values for an attribute, else one value

/**
 * Markup that is safe to send: the result of `` html`…` `` and of JSX. Other markup does not escape it again. It may
 * contain promises and asynchronous iterators: iterating over it yields strings, in order.
 *
 * @example
 * String(html`<p>${'<'}</p>`) // '<p>&lt;</p>'
 */
export class Markup implements AsyncIterable<string> {
  readonly #parts: readonly Part[]

  constructor(parts: readonly Part[]) {
    this.#parts = parts
  }

  /** @internal Write it into other markup. */
  addTo(parts: Part[]): void {
    const text = textOf(this.#parts)
    if (text === undefined) parts.push(this)
    else appendText(parts, text)
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<string> {
    let started = 0
    try {
      for (const part of this.#parts) {
        started++
        if (typeof part === 'string') yield part
        else if (part instanceof Markup) yield* part
        else for await (const value of part.source) yield* markupOf(part.write, value)
      }
    } finally {
      this.drop(started)
    }
  }

  /** @internal End the sources of the parts from the index on, because nobody will read them. */
  drop(from: number = 0): void {
    for (const part of this.#parts.slice(from)) {
      if (part instanceof Markup) part.drop()
      else if (typeof part !== 'string') end(part)
    }
  }

  /** The body of a response: a string, or a stream if the markup contains promises. */
  toBody(): string | ReadableStream<Uint8Array> {
    const texts = this[Symbol.asyncIterator]()
    let isOpen = false
    const encoder = new TextEncoder()
    return (
      textOf(this.#parts) ??
      new ReadableStream<Uint8Array>(
        {
          async pull(controller) {
            isOpen = true
            const { done, value } = await texts.next()
            if (done) controller.close()
            else controller.enqueue(encoder.encode(value))
          },
          // A generator that has not begun has nothing to clean up
          cancel: () => (isOpen ? (texts.return(0) as Promise<never>) : this.drop()),
        },
        { highWaterMark: 0 },
      )
    )
  }

  /** The whole markup as a string. @throws {TypeError} if it contains promises: see {@link Markup.text}. */
  toString(): string {
    const text = textOf(this.#parts)
    if (text === undefined) throw new TypeError('html: the markup contains a promise: use await markup.text()')
    return text
  }

  /** The whole markup as a string, when all promises have resolved. Rejects if one fails. */
  async text(): Promise<string> {
    let whole = ''
    for await (const text of this) whole += text
    return whole
  }
}

/** Markup from `raw`: trusted in any context. */
export class RawMarkup extends Markup {}

/** End a source. A promise may resolve to one. */
const end = async ({ source, write }: Later): Promise<void> => {
  try {
    if (Symbol.asyncIterator in source) await source[Symbol.asyncIterator]().return?.()
    else for (const value of source) markupOf(write, await value).drop()
  } catch {
    // No reader is left that could get the error
  }
}

const textOf = ([part = '', more]: readonly Part[]): string | undefined =>
  typeof part === 'string' && more === undefined ? part : undefined

export const markupOf = (write: Write, value: unknown): Markup => {
  const parts: Part[] = []
  write(value, parts)
  return new Markup(parts)
}

export const appendText = (parts: Part[], text: string): void => {
  const last = parts.length - 1
  const previous = parts[last]
  if (typeof previous === 'string') parts[last] = previous + text
  else parts.push(text)
}

export const whenHere = (parts: Part[], value: unknown, write: Write): void => {
  // It may reject before its turn, in which the error is reported
  if (isPromise(value)) parts.push({ source: [markHandled(value)], write })
  else write(value, parts)
}

/** Characters with a special meaning in text or in a quoted value, and those that an HTML parser would change. */
const SPECIAL = /[&<>"'\r\0]/g

const NAMES: Readonly<Record<string, string>> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot' }

export const escapeText = (text: string): string =>
  text.replace(SPECIAL, (character) => `&${NAMES[character] ?? `#${character.charCodeAt(0)}`};`)

export const addText: Write = (value, parts) => {
  if (isNothing(value) || value === true) return
  if (value instanceof Markup) value.addTo(parts)
  else if (isPromise(value)) whenHere(parts, value, addText)
  else if (typeof value === 'function') throw new TypeError('html: expected a value, got a function')
  else if (typeof value !== 'object') appendText(parts, escapeText(String(value)))
  else if (Symbol.asyncIterator in value) parts.push({ source: value, write: addText })
  else if (Symbol.iterator in value) for (const item of value) addText(item, parts)
  else appendText(parts, escapeText(String(value)))
}

export const isNothing = (value: unknown): value is undefined | null | false =>
  value === undefined || value === null || value === false
