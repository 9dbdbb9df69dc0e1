import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { subpathsOf } from '../runtime/workerd.mjs'

const SNAPSHOT = new URL('./exports.json', import.meta.url)

/** Names that each public subpath exports, as Node sees them. */
const namesOf = async ({ folder, installed }) => {
  const names = {}
  for (const subpath of subpathsOf(installed)) {
    const file = subpath === 'sluice' ? 'index' : subpath.slice(7)
    names[subpath] = Object.keys(
      await import(pathToFileURL(join(folder, 'node_modules/sluice/dist', `${file}.js`)).href),
    ).sort()
  }
  return names
}

/** Names that came or went since the snapshot; `--update` writes it anew. */
export const changedExports = async (place, update) => {
  const now = await namesOf(place)
  if (update) writeFileSync(SNAPSHOT, `${JSON.stringify(now, null, 2)}\n`)
  const before = JSON.parse(readFileSync(SNAPSHOT, 'utf8'))
  const flat = (names) =>
    new Set(Object.entries(names).flatMap(([subpath, list]) => [subpath, ...list.map((name) => `${subpath} ${name}`)]))
  const [old, fresh] = [flat(before), flat(now)]
  return [
    ...[...old].filter((name) => !fresh.has(name)).map((name) => `gone: ${name}`),
    ...[...fresh].filter((name) => !old.has(name)).map((name) => `new: ${name}`),
  ]
}
