/** The type of plain text. Some platforms write it as `text/plain;charset=UTF-8`, which is the same. */
export const TEXT = 'text/plain; charset=utf-8'

/** How many content types are remembered: an application may put what a client sends into one. */
export const MOST_TYPES = 64
