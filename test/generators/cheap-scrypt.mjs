import { syncBuiltinESMExports } from 'node:module'

/** Loaded before tests of generated projects that are not about the cost of a new hash, which is a third of a second. */
const crypto = process.getBuiltinModule('node:crypto')
const { scrypt } = crypto
crypto.scrypt = (password, salt, length, options, done) =>
  scrypt(password, salt, length, options.N < 2 ** 15 ? options : { ...options, N: 2, r: 1, p: 1 }, done)
syncBuiltinESMExports()
