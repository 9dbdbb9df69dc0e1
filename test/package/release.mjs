import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { root, tools } from '../runtime/tools.mjs'
import { apiFindings } from './api-docs.mjs'
import { changedApi, publicApi } from './api-report.mjs'
import { attwFindings, publintFindings } from './publish.mjs'
import { factsOf, release, versionFindings } from './release-rules.mjs'
import { reportOf } from './report.mjs'
import { headlines } from './size.mjs'
import { consumer } from './workspace.mjs'

/**
 * A release: `npm run release`. Builds and packs the package, checks the tarball, and leaves it in `.tools/release` with
 * the notes and the report of sizes, types and API. Nothing is published without `--publish`, and with it only if there
 * are no findings, from the workflow `release`: npm signs there from which commit the package was built.
 */

const out = join(tools, 'release')

/** The steps after the version. `SLUICE_DIST=keep` takes the build that is there. */
const stepsFor = ({ notes }) => {
  let place
  let api
  return [
    [
      'build and pack',
      () => {
        place = consumer()
        api = publicApi(place.installed)
        rmSync(out, { recursive: true, force: true })
        mkdirSync(out, { recursive: true })
        cpSync(place.tarball, join(out, basename(place.tarball)))
        return []
      },
    ],
    ['publint', () => publintFindings(place)],
    ['are the types wrong', () => attwFindings(place)],
    ['names and signatures are those of test/package/api.report.md', () => changedApi(api)],
    ['names and bytes are those of docs/api.md', () => apiFindings(api, place.folder)],
    [
      'every entry is within its budget',
      () =>
        headlines()
          .filter(({ passed }) => !passed)
          .map(tooLarge),
    ],
    [
      'reports',
      async () => {
        writeFileSync(join(out, 'report.json'), `${JSON.stringify(await reportOf(place, api), null, 2)}\n`)
        writeFileSync(join(out, 'notes.md'), `${notes}\n`)
        return []
      },
    ],
  ]
}

const tooLarge = ({ name, size, sizeLimit }) => `${name}: ${size} bytes of ${sizeLimit}`

const publish = () => {
  const tarball = readdirSync(out).find((name) => name.endsWith('.tgz'))
  execFileSync('npm', ['publish', join(out, tarball), '--provenance'], { cwd: root, stdio: 'inherit' })
}

const facts = factsOf(root)
const isGood = await release({
  version: versionFindings(facts),
  steps: stepsFor(facts),
  publish: process.argv.includes('--publish') ? publish : undefined,
})
process.exitCode = isGood ? 0 : 1
