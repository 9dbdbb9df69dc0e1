export const TEXT = 'text/plain; charset=utf-8'

/** How many content types are remembered, because an application may use input of clients as one. */
export const MAX_TYPES = 64
