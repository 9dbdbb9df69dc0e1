import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')

/** Collect everything that nobody can reach. */
export const collectGarbage: () => void = runInNewContext('gc')
