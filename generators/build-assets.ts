import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Bundle } from './bundle.ts'
import { resolveFrom } from './loader.ts'
import type { PlannedFile } from './write.ts'

/** Our module that reads files of a package at run time, and those files. */
const REFERENCE = /(?:^|\/)(?:dist|src)\/openapi\/reference\.[jt]s$/
const PACKAGE = 'swagger-ui-dist'
const ASSETS = ['package.json', 'LICENSE', 'NOTICE', 'swagger-ui.css', 'swagger-ui-bundle.js']

/** The files of the page `/reference`, at the paths where the built file looks for them; none without that page. */
export const referenceAssets = (root: string, out: string, { metafile }: Bundle): PlannedFile[] => {
  if (!Object.keys(metafile.inputs).some((path) => REFERENCE.test(path))) return []
  const manifest = resolveFrom(root, `${PACKAGE}/package.json`)
  if (manifest === undefined) return []
  return ASSETS.map((name) => [name, join(dirname(manifest), name)] as const)
    .filter(([, file]) => existsSync(file))
    .map(([name, file]) => ({ path: `${out}/node_modules/${PACKAGE}/${name}`, contents: readFileSync(file, 'utf8') }))
}
