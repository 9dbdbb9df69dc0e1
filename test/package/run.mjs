import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { apiFindings } from './api-docs.mjs'
import { bundleFindings } from './bundles.mjs'
import { domNames, typeErrors } from './consumers.mjs'
import { declarationErrors } from './declarations.mjs'
import { docsFindings } from './docs.mjs'
import { changedExports } from './exports.mjs'
import { allFindings } from './must-not-appear.mjs'
import { attwFindings, bytesOf, publintFindings } from './publish.mjs'
import { COSTS, instantiations } from './type-cost.mjs'
import { wrongMessages } from './type-messages.mjs'
import { failedTypeTests } from './type-tests.mjs'
import { consumer } from './workspace.mjs'

/**
 * The package as it would be published: `node test/package/run.mjs [--update]`. Packs it, installs it as a user would,
 * and tries it with compilers and bundlers. `--update` takes the names that are exported now as those that should be.
 */
const place = consumer()

const none = (list) => assert.equal(list.join('\n'), '')

/** Bytes of the unpacked package, docs included; the target is 700 kB. */
const CEILING = 2_280_000

const tests = [
  [
    'the same names are exported by every subpath',
    async () => none(await changedExports(place, process.argv.includes('--update'))),
  ],
  [
    'docs/api.md has every subpath with its exports and, within 2 %, its bytes',
    async () => none(await apiFindings(place.installed, place.folder)),
  ],
  ['the tarball has README and docs, without the contract', () => none(docsInTarball(place.installed))],
  [
    'P21: programs type-check without lib dom: TypeScript 5.9, 6.0, 7.0, nodenext and bundler, Node, Bun, Deno, workerd',
    () => none(typeErrors(place)),
  ],
  ['TC1: a client of an application whose declarations alone it sees is typed', () => none(declarationErrors(place))],
  ['P21: no declaration names what only lib dom has', () => none(domNames(place))],
  ['mistakes are explained in one or two lines', () => none(wrongMessages(place))],
  ['type tests hold under TypeScript 5.9, 6.0, 7.0', () => none(failedTypeTests())],
  ...COSTS.map(([sentence, program, ceiling]) => [
    `${sentence}: at most ${ceiling} type instantiations`,
    () => {
      const count = instantiations(place, program)
      assert.ok(count <= ceiling, `${count}`)
      return `${count}`
    },
  ]),
  [
    'esbuild, rollup and vite ship nothing unused, without the sideEffects hint',
    async () => none(await bundleFindings(place)),
  ],
  ['edge bundles hold nothing that must not appear', async () => none(await allFindings())],
  [
    'every program of README.md and docs type-checks, and does what its page says',
    () => {
      const { findings, count } = docsFindings(place)
      none(findings)
      return count
    },
  ],
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

/** What of the pages is missing from the package, or should be. */
function docsInTarball(installed) {
  const missing = ['README.md', 'CHANGELOG.md', 'docs/routing.md', 'docs/middleware/cors.md'].filter(
    (page) => !existsSync(join(installed, page)),
  )
  return existsSync(join(installed, 'docs/contract')) ? [...missing, 'docs/contract is not for users'] : missing
}

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
