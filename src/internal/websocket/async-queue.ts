/** A queue of messages, which are read one after the other, until its end. */
export class AsyncQueue<Message> {
  readonly #max: number
  #messages: Message[] = []
  #end: { readonly error: unknown } | undefined = undefined
  #wake: (() => void) | undefined = undefined
  /** Two readers must not get the same message. */
  #turn: Promise<unknown> = Promise.resolve()

  /** @param max messages that may wait */
  constructor(max: number) {
    this.#max = max
  }

  /** @returns false if the queue is full: the message is dropped */
  put(message: Message): boolean {
    if (this.#messages.length >= this.#max) return false
    this.#messages.push(message)
    this.#wake?.()
    return true
  }

  /** End the queue: `take` still returns the messages that wait, and then throws the error, if there is one. */
  end(error: unknown): void {
    this.#end ??= { error }
    this.#wake?.()
  }

  /** Drop all messages: the reader has ended its loop. */
  drop(): void {
    this.#messages = []
  }

  /** The next message, as soon as it arrives; `undefined` at the end. @throws the error of the end, once */
  take(): Promise<Message | undefined> {
    const result = this.#turn.then(() => this.#next())
    this.#turn = result.catch(() => {})
    return result
  }

  async #next(): Promise<Message | undefined> {
    while (!this.#messages.length && !this.#end)
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    if (this.#messages.length) return this.#messages.shift()
    const { error } = this.#end! // set, because the loop is over
    this.#end = { error: undefined }
    if (error !== undefined) throw error
    return undefined
  }
}
