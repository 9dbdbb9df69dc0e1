/** Runs the program in a worker of the frame, with limits. */

/** How long a program may take to load, and a response to begin; a stream may pause for the second. */
const LIMIT_MS = 2000
/** How long it may take until the worker gets to it. */
const START_MS = 30_000
const STREAM_MS = 15_000

/** What comes from the worker. */
export type Message =
  | { readonly kind: 'log'; readonly level: string; readonly text: string }
  | { readonly kind: 'started'; readonly id?: number }
  | { readonly kind: 'loaded'; readonly serves: boolean }
  | { readonly kind: 'failed'; readonly id?: number; readonly text: string }
  | {
      readonly kind: 'head'
      readonly id: number
      readonly status: number
      readonly headers: readonly (readonly [string, string])[]
      readonly ms: number
    }
  | { readonly kind: 'part'; readonly id: number; readonly text: string }
  | { readonly kind: 'end'; readonly id: number }

export interface Ask {
  readonly method: string
  readonly url: string
  readonly headers: readonly (readonly [string, string])[]
  readonly body: string
}

// The visitor's code runs in a worker of this frame: it has no document, and the policy of the frame allows it no
// connection. A sandbox without the origin would be stricter, but its workers are no secure context: no `crypto.subtle`
const frame = document.createElement('iframe')
frame.title = 'Runs the application'
frame.hidden = true
frame.src = 'runner.html'

let run = 0
let hear: (message: Message) => void = () => {}
const ready = new Promise<void>((resolve) => {
  addEventListener('message', ({ source, data }) => {
    if (source !== frame.contentWindow) return
    if (data.kind === 'frame') resolve()
    else if (data.run === run) hear(data)
  })
})
document.body.append(frame)

const tell = (message: object): void => frame.contentWindow!.postMessage(message, location.origin)

let loaded: { readonly code: string; readonly serves: boolean } | undefined
const stop = (): void => {
  tell({ kind: 'stop' })
  loaded = undefined
}

/**
 * Load a bundle, unless it runs already: its memory is that of a server. `onLog` gets what it prints.
 *
 * @returns whether it exports an application
 * @throws {Error} what the program threw, or that it took too long
 */
export const load = async (code: string, onStart: () => void, onLog: (level: string, text: string) => void) => {
  await ready
  if (loaded?.code === code) return loaded.serves
  loaded = undefined
  clearTimeout(timer)
  run += 1
  onStart()
  return new Promise<boolean>((resolve, reject) => {
    let late = 0
    const limit = (ms: number): void => {
      clearTimeout(late)
      late = window.setTimeout(() => {
        stop()
        reject(new Error(`The program took more than ${ms / 1000} s to load, and was stopped.`))
      }, ms)
    }
    limit(START_MS)
    hear = (message) => {
      if (message.kind === 'log') return onLog(message.level, message.text)
      if (message.kind === 'started') return limit(LIMIT_MS)
      clearTimeout(late)
      if (message.kind === 'loaded') {
        loaded = { code, serves: message.serves }
        resolve(message.serves)
      } else if (message.kind === 'failed') reject(new Error(message.text))
    }
    tell({ kind: 'load', run, code })
  })
}

let asks = 0
/** Of the request that runs: one that is given up must not stop the next program. */
let timer = 0

/** Send a request to the program that is loaded. `onMessage` gets what comes back, `onLate` that nothing came for long. */
export const ask = (request: Ask, onMessage: (message: Message) => void, onLate: (seconds: number) => void): void => {
  asks += 1
  const id = asks
  const limit = (ms: number): void => {
    clearTimeout(timer)
    timer = window.setTimeout(() => {
      stop()
      onLate(ms / 1000)
    }, ms)
  }
  hear = (message) => {
    if ('id' in message && message.id !== id) return
    if (message.kind === 'started') return limit(LIMIT_MS)
    if (message.kind === 'head' || message.kind === 'part') limit(STREAM_MS)
    if (message.kind === 'end' || message.kind === 'failed') clearTimeout(timer)
    onMessage(message)
  }
  limit(START_MS)
  tell({ kind: 'ask', ask: { id, ...request } })
}
