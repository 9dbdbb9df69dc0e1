/** A connection that this side opens: a `WebSocket` of the platform, or of the package `ws`. */
export interface TargetSocket {
  binaryType: string
  readonly readyState: number
  /** The subprotocol that the target has chosen; `''` for none. */
  readonly protocol?: string
  /** Absent on Workers. */
  readonly bufferedAmount?: number
  send(message: string | Uint8Array): void
  close(code?: number, reason?: string): void
  addEventListener(type: string, listener: (event: any) => void): void // any: events of several classes
}

/** How a connection ended. */
export interface ConnectionEnd {
  readonly isOpen: boolean
  /** Whether a message has arrived. */
  readonly hasMessages: boolean
  /** Code of the close (RFC 6455 §7.4); 1006 if the connection never opened, or was cut. */
  readonly code: number
  readonly reason: string
}

export interface TargetEvents {
  open(): void
  message(message: string | Uint8Array): void
  /** Aborts when the connection is no longer wanted. It is then closed with the result of `closeFrame`. */
  readonly left: AbortSignal
  readonly closeFrame: () => readonly [code: number, reason: string]
  /** Time limit for the handshake, in milliseconds. */
  readonly timeoutMs: number
}

/** Follow a connection to its end. It resolves at once when the connection is no longer wanted. */
export const followTarget = (target: TargetSocket, events: TargetEvents): Promise<ConnectionEnd> =>
  new Promise((resolve) => {
    const { left, timeoutMs } = events
    let isOpen = false
    let hasMessages = false
    let over = false
    const end = ({ code = 1006, reason = '' }): void => {
      over = true
      clearTimeout(timer)
      left.removeEventListener('abort', onAbort)
      resolve({ isOpen, hasMessages, code, reason })
    }
    const onAbort = (): void => {
      const [code, reason] = events.closeFrame()
      target.close(code, reason)
      end({ code, reason })
    }
    // The platform may report the end much later
    const timer = setTimeout(() => {
      end({})
      target.close()
    }, timeoutMs)
    const begin = (): void => {
      if (over || isOpen) return
      clearTimeout(timer)
      isOpen = true
      events.open()
    }
    target.binaryType = 'arraybuffer'
    target.addEventListener('open', begin)
    target.addEventListener('message', ({ data }: { data: string | ArrayBuffer }) => {
      if (over) return
      hasMessages = true
      events.message(typeof data === 'string' ? data : new Uint8Array(data))
    })
    target.addEventListener('close', end)
    // The close follows; without a listener the package `ws` would throw
    target.addEventListener('error', () => {})
    if (left.aborted) return onAbort()
    left.addEventListener('abort', onAbort)
    if (target.readyState === 1) begin()
  })
