/** The sorted pairs to iterate over, rebuilt after each change. */
interface HeaderPairs {
  pairs(): readonly (readonly [string, string])[]
}

/**
 * An iterator over headers (WebIDL §3.7.10.2): it counts positions and reads the current headers at each step, so
 * headers that are added or deleted during iteration are visited or not exactly as with the platform's class.
 */
export class HeadersWalk<T> implements HeadersIterator<T> {
  readonly #headers: HeaderPairs
  readonly #read: (pair: readonly [string, string]) => T
  #place = 0

  constructor(headers: HeaderPairs, read: (pair: readonly [string, string]) => T) {
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

/**
 * `%IteratorPrototype%`: the prototype from which built-in iterators inherit `Symbol.iterator` and the iterator
 * helpers.
 */
const iteratorPrototype = Object.getPrototypeOf(Object.getPrototypeOf([][Symbol.iterator]()))

Object.setPrototypeOf(HeadersWalk.prototype, iteratorPrototype)
Object.defineProperty(HeadersWalk.prototype, 'next', { enumerable: true })
