import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * A module of ours by its subpath, with what only we import counted as `sluice (core)`; others by their package. The
 * package has the modules of a door in one file, which counts as the door.
 */
export const featureOf = (root: string, path: string): string => {
  const file = resolve(root, path).replaceAll('\\', '/')
  const own = ownModule().exec(file)
  if (own !== null) {
    const feature = own[1] ?? own[2]
    return feature === undefined ? 'sluice (core)' : `sluice/${feature}`
  }
  const name = file.split('/node_modules/')
  if (name.length > 1) return /^(?:@[^/]+\/)?[^/]+/.exec(name.at(-1) ?? '')?.[0] ?? path
  return 'your code'
}

/** Our package, installed or linked to a checkout; in it the folders whose files are features of their own. */
const ownModule = (): RegExp => {
  // This module is `generators/bundle.ts` of a checkout, or `dist/generators/bundle.js` of the package.
  const here = fileURLToPath(new URL('..', import.meta.url))
    .replaceAll('\\', '/')
    .replace(/(?:\/dist)?\/$/, '')
  const escaped = here.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(
    `^(?:${escaped}|.*/node_modules/sluice)/(?:dist|src)/(?:internal/(z|database|middleware)\\.js$|(?:internal/(?=database/))?(z|database|(?:middleware|respond|stores)/[^/.]+)[/.])?`,
  )
}
