import assert from 'node:assert/strict'
import { bundleFindings } from './bundles.mjs'
import { typeErrors } from './consumers.mjs'
import { changedExports } from './exports.mjs'
import { allFindings } from './must-not-appear.mjs'
import { attwFindings, bytesOf, publintFindings } from './publish.mjs'
import { instantiations } from './type-cost.mjs'
import { failedTypeTests } from './type-tests.mjs'
import { consumer } from './workspace.mjs'

/**
 * The package as it would be published: `node test/package/run.mjs [--update]`. Packs it, installs it as a user would, and tries it with
 * compilers and bundlers. `--update` takes the names that are exported now as those that should be.
 */
const place = consumer()

const none = (list) => assert.equal(list.join('\n'), '')

/** Bytes of the unpacked package; the target is 600 kB. */
const CEILING = 720_000

const tests = [
  [
    'the same names are exported by every subpath',
    async () => none(await changedExports(place, process.argv.includes('--update'))),
  ],
  ['programs type-check: TypeScript 5.9, 6.0, 7.0, nodenext and bundler', () => none(typeErrors(place))],
  ['type tests hold under TypeScript 5.9, 6.0, 7.0', () => none(failedTypeTests())],
  [
    '100 routes, 12 middleware, 100 schemas: at most 120,000 type instantiations',
    () => {
      const count = instantiations(place)
      assert.ok(count <= 120_000, `${count}`)
      return `${count}`
    },
  ],
  [
    'esbuild, rollup and vite ship nothing unused, without the sideEffects hint',
    async () => none(await bundleFindings(place)),
  ],
  ['edge bundles hold nothing that must not appear', async () => none(await allFindings())],
  ['publint, strict', async () => none(await publintFindings(place))],
  ['are the types wrong, esm-only', () => none(attwFindings(place))],
  [
    'the unpacked size has a ceiling',
    () => {
      const bytes = bytesOf(place.installed)
      assert.ok(bytes <= CEILING, `${bytes}`)
      return `${bytes} bytes`
    },
  ],
  ['two dependencies', () => assert.deepEqual(Object.keys(place.manifest.dependencies).sort(), ['eta', 'sade'])],
  [
    'nothing runs when it is installed',
    () => none(['preinstall', 'install', 'postinstall', 'prepare'].filter((name) => place.manifest.scripts?.[name])),
  ],
]

let failed = 0
for (const [sentence, run] of tests) {
  try {
    const said = await run()
    console.log(`ok      ${sentence}${said ? `: ${said}` : ''}`)
  } catch (error) {
    failed++
    console.log(`failed  ${sentence}\n${error.message}`)
  }
}
console.log(`package ${tests.length - failed} passed, ${failed} failed`)
process.exit(failed ? 1 : 0)
