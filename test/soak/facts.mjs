/** What server and clients of the soak must agree upon. */
export const SECRET = 'a secret of the soak that is longer than thirty-two bytes'

/** Size of a block of `/blocks/:count`, in bytes. */
export const BLOCK = 65_536

const blocks = Array.from({ length: 7 }, (_, index) => new Uint8Array(BLOCK).fill(97 + index))

/** The block at a place of a stream: its bytes say which it is. */
export const blockOf = (index) => blocks[index % blocks.length]
