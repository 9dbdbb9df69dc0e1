import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bytesOfSubpaths } from './api-docs.mjs'
import { publicApi } from './api-report.mjs'
import { headlines } from './size.mjs'
import { COSTS, instantiations } from './type-cost.mjs'
import { consumer } from './workspace.mjs'

/**
 * What a checkout costs and exports, as JSON, for compare-reports.mjs: `node test/package/report.mjs report.json`.
 * `sizes` are bytes by entry and by subpath, `types` instantiations by program, `api` the signatures of
 * each subpath.
 */
export const reportOf = async (place, api) => ({
  sizes: {
    ...Object.fromEntries(headlines().map(({ name, size }) => [name, size])),
    ...(await bytesOfSubpaths(api, place.folder)),
  },
  types: Object.fromEntries(COSTS.map(([sentence, program]) => [sentence, instantiations(place, program)])),
  api: Object.fromEntries(api.map(({ subpath, signatures }) => [subpath, [...signatures.values()]])),
})

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , file] = process.argv
  const place = consumer()
  const report = await reportOf(place, publicApi(place.installed))
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `${JSON.stringify(report, null, 2)}\n`)
}
