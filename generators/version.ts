import { readFileSync } from 'node:fs'

/** The version in our package.json, one folder above the sources and two above the built command. */
export const ownVersion = (): string => {
  for (const up of ['../package.json', '../../package.json']) {
    try {
      const manifest: { name?: string; version?: string } = JSON.parse(
        readFileSync(new URL(up, import.meta.url), 'utf8'),
      )
      if (manifest.name === 'sluice' && manifest.version !== undefined) return manifest.version
    } catch {
      // One of the two is not there: that is how the other is told.
    }
  }
  return '0.0.0'
}
