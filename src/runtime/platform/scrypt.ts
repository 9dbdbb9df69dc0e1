import type { Scrypt } from '../contract.ts'

/** Uses `node:crypto`, which Node, Bun and Deno have, and workerd with the flag `nodejs_compat`. */
export const scrypt: Scrypt = (password, salt, length, { logN, r, p }) =>
  new Promise((resolve, reject) => {
    const node = globalThis.process?.getBuiltinModule?.('node:crypto')
    if (!node?.scrypt)
      throw new Error('sluice/password needs node:crypto: a Worker has it with the compatibility flag nodejs_compat')
    const N = 2 ** logN
    // The memory is 128 · N · r bytes and 128 · p · r more
    node.scrypt(password, salt, length, { N, r, p, maxmem: 256 * r * (N + p) }, (error, key) =>
      error ? reject(error) : resolve(key),
    )
  })
