import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/**
 * Vitest starts Node with the condition `import`, under which the `require('is-promise')` inside Express finds an ES module and every
 * request fails. This puts the CommonJS face in its place; to be imported before Express.
 */
const fromRouter = createRequire(createRequire(createRequire(import.meta.url).resolve('express')).resolve('router'))
const resolved = fromRouter.resolve('is-promise')
const commonJs = join(dirname(resolved), 'index.js')
if (resolved !== commonJs) {
  fromRouter(commonJs)
  fromRouter.cache[resolved] = fromRouter.cache[commonJs]
}
