import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { root, tools } from '../runtime/tools.mjs'
import { apiFindings } from './api-docs.mjs'
import { changedApi, publicApi } from './api-report.mjs'
import { bundleFindings } from './bundles.mjs'
import { wrongBuilds } from './conditions.mjs'
import { domNames, typeErrors } from './consumers.mjs'
import { declarationErrors } from './declarations.mjs'
import { docsFindings } from './docs.mjs'
import { undeclaredNames } from './exports.mjs'
import { allFindings } from './must-not-appear.mjs'
import { doorsWithManyFiles } from './opened-files.mjs'
import { attwFindings, bytesOf, publintFindings } from './publish.mjs'
import { COSTS, instantiations } from './type-cost.mjs'
import { wrongMessages } from './type-messages.mjs'
import { failedTypeTests } from './type-tests.mjs'
import { consumer } from './workspace.mjs'

/**
 * The package as it would be published: `node test/package/run.mjs`. Packs it, installs it as a user would, and tries it with
 * compilers and bundlers.
 */
const place = consumer()
const api = publicApi(place.installed)

const none = (list) => assert.equal(list.join('\n'), '')

/** Bytes of the unpacked package, with two builds. */
const CEILING = 1_900_000

const tests = [
  ['every name that is declared is there, and no other', async () => none(await undeclaredNames(place, api))],
  ['names and signatures are those of test/package/api.report.md', () => none(changedApi(api))],
  [
    'docs/api.md has every subpath with its exports and, within 2 %, its bytes',
    async () => none(await apiFindings(api, place.folder)),
  ],
  ['an import on Node opens few files', async () => none(await doorsWithManyFiles(place))],
  ['at most 135 subpaths', () => assert.ok(api.length <= 135, `${api.length}`)],
  [
    'P25: the tarball has the builds and three pages',
    () =>
      assert.deepEqual(readdirSync(place.installed).sort(), [
        'CHANGELOG.md',
        'LICENSE',
        'README.md',
        'SECURITY.md',
        'dist',
        'package.json',
      ]),
  ],
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
  [
    'each tool takes the build that docs/deployment.md says',
    async () =>
      none(await wrongBuilds(place, readFileSync(new URL('../../docs/deployment.md', import.meta.url), 'utf8'))),
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
  // The last one, since it packs into the same folders
  ['a dry run of a release leaves tarball, notes and report, and asks no registry', dryRun],
]

/** Run `npm run release` on the build that is there, and count what reaches the registry. */
async function dryRun() {
  const asked = []
  const registry = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`)
    response.writeHead(404).end()
  })
  await new Promise((listening) => registry.listen(0, '127.0.0.1', listening))
  const env = {
    ...process.env,
    SLUICE_DIST: 'keep',
    npm_config_registry: `http://127.0.0.1:${registry.address().port}`,
  }
  const { stdout } = await promisify(execFile)('npm', ['run', 'release'], { cwd: root, env }).finally(() =>
    registry.close(),
  )
  assert.match(stdout, /dry run: nothing is published\s*$/)
  assert.deepEqual(asked, [])
  const { version } = place.manifest
  assert.deepEqual(readdirSync(join(tools, 'release')).sort(), ['notes.md', 'report.json', `sluice-${version}.tgz`])
  const { sizes, types, api } = JSON.parse(readFileSync(join(tools, 'release/report.json'), 'utf8'))
  assert.ok(sizes['sluice/z'] > 1_000 && sizes['router alone'] > 500)
  assert.equal(Object.keys(types).length, COSTS.length)
  assert.ok(api['sluice/z'].length > 50)
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
