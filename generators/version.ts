import { readFileSync } from 'node:fs'

/** The version of sluice, from its package.json: one folder above the sources, two above the built command. */
export const ownVersion = (): string => {
  for (const up of ['../package.json', '../../package.json']) {
    try {
      const manifest: { name?: string; version?: string } = JSON.parse(
        readFileSync(new URL(up, import.meta.url), 'utf8'),
      )
      if (manifest.name === 'sluice' && manifest.version !== undefined) return manifest.version
    } catch {
      // Only one of the two exists.
    }
  }
  return '0.0.0'
}
