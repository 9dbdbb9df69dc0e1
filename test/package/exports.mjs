import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** Names that Node sees in a subpath and its declarations do not, and the other way round. */
export const undeclaredNames = async ({ folder }, api) => {
  const findings = []
  for (const { subpath, values } of api) {
    const file = subpath === 'sluice' ? 'index' : subpath.slice(7)
    const seen = await import(pathToFileURL(join(folder, 'node_modules/sluice/dist', `${file}.js`)).href)
    const names = Object.keys(seen)
    findings.push(...names.filter((name) => !values.includes(name)).map((name) => `${subpath} ${name}: not declared`))
    findings.push(...values.filter((name) => !names.includes(name)).map((name) => `${subpath} ${name}: not there`))
  }
  return findings
}
