import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The section of a version in CHANGELOG.md, without its heading. */
export const notesOf = (changelog, version) => {
  const [, notes] = `${changelog}\n## `.split(`\n## ${version}\n`)
  return notes?.slice(0, notes.indexOf('\n## ')).trim()
}

/** What decides whether the version of a checkout may be published. */
export const factsOf = (folder) => {
  const git = (...args) => execFileSync('git', args, { cwd: folder, encoding: 'utf8' }).trim()
  const read = (name) => readFileSync(join(folder, name), 'utf8')
  const { version, repository } = JSON.parse(read('package.json'))
  return {
    version,
    notes: notesOf(read('CHANGELOG.md'), version),
    changesets: readdirSync(join(folder, '.changeset')).filter((name) => /^(?!README).*\.md$/.test(name)),
    isTagged: git('tag', '--list', `v${version}`) !== '',
    uncommitted: git('status', '--porcelain'),
    hasAddress: repository !== undefined,
  }
}

/** What keeps a version from being published. */
export const versionFindings = ({ version, notes, changesets, isTagged, uncommitted, hasAddress }) => [
  ...changesets.map((name) => `.changeset/${name} is not in CHANGELOG.md: npx changeset version`),
  ...(notes ? [] : [`CHANGELOG.md says nothing about ${version}`]),
  ...(isTagged ? [`v${version} is a tag already: npx changeset`] : []),
  ...(hasAddress ? [] : ['package.json has no repository, with which npm compares the provenance']),
  ...(uncommitted ? [`not committed:\n${uncommitted}`] : []),
]

/**
 * Run the steps of a release in order, and `publish` after them if it is asked for and nothing was found.
 *
 * @param version findings of the version: they keep it from being published, and a dry run tells them
 * @param steps `[name, () => findings]`
 * @returns whether everything is as it must be
 */
export const release = async ({ version, steps, publish, log = console.log }) => {
  log(`${version.length ? 'waits  ' : 'ok     '} version`)
  for (const finding of version) log(finding)
  if (publish && version.length) return false
  let failed = 0
  for (const [name, run] of steps) {
    const findings = await run()
    if (findings.length) failed++
    log(`${findings.length ? 'failed ' : 'ok     '} ${name}`)
    for (const finding of findings) log(finding)
  }
  if (failed) return false
  if (publish) await publish()
  else log('dry run: nothing is published')
  return true
}
