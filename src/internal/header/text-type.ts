/** The type of plain text. Some platforms write it as `text/plain;charset=UTF-8`, which is the same. */
export const TEXT = 'text/plain; charset=utf-8'
