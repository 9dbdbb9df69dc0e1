/** The type of plain text. Some platforms write it as `text/plain;charset=UTF-8`, which is the same. */
export const TEXT = 'text/plain; charset=utf-8'

/** Limit of remembered content types: an application may use input of a client as one. */
export const MAX_TYPES = 64
