import { createServer } from 'node:http'
import sirv from 'sirv'
import { FILES } from '../rows.mjs'

/** It reads the facts of all files when it starts, and does not see that one changes, unless it has `dev`. */
const cases = {
  file1: { etag: true, maxAge: 0 },
  file64: { etag: true, maxAge: 0 },
  unchanged: { etag: true, dev: true },
}

export const serve = (name, port) => createServer(sirv(FILES, cases[name])).listen(port, '127.0.0.1')
