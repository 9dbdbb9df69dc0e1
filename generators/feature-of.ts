import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Files of the build for the edge, which has few: what they are made of. */
const PARTS: Readonly<Record<string, string>> = { schemas: 'z', more: 'middleware' }

/**
 * The feature that a module belongs to: the subpath of a public module of sluice, `sluice (core)` for its internal
 * modules, and the package name for all others. The modules of a door share one file, which counts as the door.
 */
export const featureOf = (root: string, path: string): string => {
  const file = resolve(root, path).replaceAll('\\', '/')
  const match = ownModule().exec(file)
  if (match !== null) {
    const feature = match[1] ?? match[2]
    return feature === undefined ? 'sluice (core)' : `sluice/${PARTS[feature] ?? feature}`
  }
  const name = file.split('/node_modules/')
  if (name.length > 1) return /^(?:@[^/]+\/)?[^/]+/.exec(name.at(-1) ?? '')?.[0] ?? path
  return 'your code'
}

/** The folders of sluice whose files are separate features, installed or linked to a checkout. */
const ownModule = (): RegExp => {
  // This module is `generators/feature-of.ts` of a checkout, or `dist/generators/feature-of.js` of the package.
  const here = fileURLToPath(new URL('..', import.meta.url))
    .replaceAll('\\', '/')
    .replace(/(?:\/dist)?\/$/, '')
  const escaped = here.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(
    `^(?:${escaped}|.*/node_modules/sluice)/(?:dist(?:/edge)?|src)/(?:internal/(z|schemas|database|middleware|more)\\.js$|(?:internal/(?=database/))?(z|database|(?:middleware|respond|stores)/[^/.]+)[/.])?`,
  )
}
