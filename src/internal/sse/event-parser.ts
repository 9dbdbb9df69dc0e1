export interface ParsedEvent {
  /** Name of the event; `message` if it has none. */
  readonly event: string
  readonly data: string
  /** The last id that was sent so far, which a later connection repeats; empty if there was none. */
  readonly id: string
}

export interface EventParser {
  /**
   * Read text in chunks, split anywhere and without a byte order mark. Take all events of a chunk before the next one.
   *
   * @throws {RangeError} for an event of more characters than the limit, after the events before it.
   */
  feed(text: string): Iterable<ParsedEvent>
  /** The last id that a complete event has confirmed. */
  readonly id: string
  /** The reconnection delay that the server has set, in milliseconds. */
  readonly retry: number | undefined
}

/** WHATWG HTML §9.2.6. @param limit of characters of one event @param id the last one of an earlier connection */
export const createEventParser = (limit: number, id = ''): EventParser => {
  let pendingText = ''
  let afterReturn = false
  let data: string[] = []
  let dataLength = 0
  let event = ''
  let nextId = id
  const parser = { id, retry: undefined as number | undefined }
  const checkSize = (size: number): void => {
    if (size > limit) throw new RangeError(`An event has more than ${limit} characters`)
  }
  const readField = (name: string, value: string): void => {
    if (name === 'data') {
      data.push(value)
      dataLength += value.length + 1
      checkSize(dataLength)
    } else if (name === 'event') event = value
    else if (name === 'id') nextId = value.includes('\0') ? nextId : value
    else if (name === 'retry' && /^\d+$/.test(value)) parser.retry = Number(value)
  }
  const readLine = (text: string): ParsedEvent | undefined => {
    if (text) {
      const colon = text.indexOf(':')
      if (colon < 0) readField(text, '')
      else readField(text.slice(0, colon), text.slice(text[colon + 1] === ' ' ? colon + 2 : colon + 1))
      return undefined
    }
    const parsed = data.length ? { event: event || 'message', data: data.join('\n'), id: nextId } : undefined
    parser.id = nextId
    data = []
    dataLength = 0
    event = ''
    return parsed
  }
  return Object.assign(parser, {
    *feed(text: string) {
      if (!text) return
      // A line may end with CR, LF or both, and a chunk may end between them
      const lines = (afterReturn && text[0] === '\n' ? text.slice(1) : text).split(/\r\n|\r|\n/)
      afterReturn = text.endsWith('\r')
      lines[0] = pendingText + lines[0]
      pendingText = lines.pop() as string
      for (const line of lines) {
        const parsed = readLine(line)
        if (parsed) yield parsed
      }
      checkSize(pendingText.length + dataLength)
    },
  })
}
