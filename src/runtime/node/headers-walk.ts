/** What is walked through: sorted pairs, made anew after each change. */
interface Walked {
  pairs(): readonly (readonly [string, string])[]
}

/**
 * A walk through header fields (WebIDL §3.7.10.2): it counts places, and looks at the fields as they are at each step, so that a field
 * which is added or deleted on the way is met or not, as with the platform's class.
 */
export class HeadersWalk<T> implements HeadersIterator<T> {
  readonly #headers: Walked
  readonly #read: (pair: readonly [string, string]) => T
  #place = 0

  constructor(headers: Walked, read: (pair: readonly [string, string]) => T) {
    this.#headers = headers
    this.#read = read
  }

  next(): IteratorResult<T, undefined> {
    const pair = this.#headers.pairs()[this.#place]
    if (!pair) return { done: true, value: undefined }
    this.#place++
    return { done: false, value: this.#read(pair) }
  }

  get [Symbol.toStringTag](): string {
    return 'Headers Iterator'
  }

  declare [Symbol.iterator]: () => this
  declare [Symbol.dispose]: () => void
}

/** `%IteratorPrototype%`: what iterators of the language inherit `Symbol.iterator` and their helpers from. */
const iteratorPrototype = Object.getPrototypeOf(Object.getPrototypeOf([][Symbol.iterator]()))

Object.setPrototypeOf(HeadersWalk.prototype, iteratorPrototype)
Object.defineProperty(HeadersWalk.prototype, 'next', { enumerable: true })
