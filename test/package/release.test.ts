import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'

type Step = readonly [name: string, run: () => readonly string[] | Promise<readonly string[]>]
interface Facts {
  readonly version: string
  readonly notes: string | undefined
  readonly changesets: readonly string[]
  readonly isTagged: boolean
  readonly uncommitted: string
  readonly hasAddress: boolean
}
interface Release {
  readonly version: readonly string[]
  readonly steps: readonly Step[]
  readonly publish?: () => void
  log(line: string): void
}

/** The script is plain JavaScript, which has no declarations. */
const script: string = './release-rules.mjs'
const {
  notesOf,
  factsOf,
  versionFindings,
  release,
}: {
  notesOf(changelog: string, version: string): string | undefined
  factsOf(folder: string): Facts
  versionFindings(facts: Facts): string[]
  release(what: Release): Promise<boolean>
} = await import(script)

const CHANGELOG = '# sluice\n\n## 0.2.0\n\n- newer\n\n### Below\n\n- more\n\n## 0.1.0\n\n- first\n'

test.each([
  ['the newest', '0.2.0', '- newer\n\n### Below\n\n- more'],
  ['the oldest', '0.1.0', '- first'],
  ['one that is not there', '0.3.0', undefined],
  ['the beginning of one', '0.1', undefined],
])('notes of a version are its section of the changelog: %s', (_, version, notes) => {
  expect(notesOf(CHANGELOG, version)).toBe(notes)
})

test('the facts of a checkout are its version, notes, changesets, tag and uncommitted files', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-release-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text)
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=test', '-c', 'user.email=test@localhost', ...args], { cwd: folder })
  mkdirSync(join(folder, '.changeset'))
  for (const name of ['README.md', 'config.json', 'red-fox.md']) write(`.changeset/${name}`, '')
  write('package.json', '{ "version": "0.2.0" }')
  write('CHANGELOG.md', CHANGELOG)
  git('init', '-q')
  git('add', '.')
  git('commit', '-qm', 'Begin')
  git('tag', 'v0.1.0')
  const facts = { version: '0.2.0', notes: '- newer\n\n### Below\n\n- more', changesets: ['red-fox.md'] }
  expect(factsOf(folder)).toEqual({ ...facts, isTagged: false, uncommitted: '', hasAddress: false })
  git('tag', 'v0.2.0')
  write('package.json', '{ "version": "0.2.0", "repository": "a" }')
  expect(factsOf(folder)).toEqual({ ...facts, isTagged: true, uncommitted: 'M package.json', hasAddress: true })
})

const ready: Facts = {
  version: '0.2.0',
  notes: '- newer',
  changesets: [],
  isTagged: false,
  uncommitted: '',
  hasAddress: true,
}

test.each([
  ['it is committed, described and new', {}, []],
  [
    'a changeset waits',
    { changesets: ['red-fox.md'] },
    ['.changeset/red-fox.md is not in CHANGELOG.md: npx changeset version'],
  ],
  ['the changelog lacks it', { notes: undefined }, ['CHANGELOG.md says nothing about 0.2.0']],
  ['its section is empty', { notes: '' }, ['CHANGELOG.md says nothing about 0.2.0']],
  ['its tag exists', { isTagged: true }, ['v0.2.0 is a tag already: npx changeset']],
  [
    'the package has no repository',
    { hasAddress: false },
    ['package.json has no repository, with which npm compares the provenance'],
  ],
  ['a file is not committed', { uncommitted: '?? new.ts' }, ['not committed:\n?? new.ts']],
])('findings of a version when %s', (_, facts, findings) => {
  expect(versionFindings({ ...ready, ...facts })).toEqual(findings)
})

/** Run a release whose steps find this, and tell what it did. */
const outcome = async (found: { version?: string[]; first?: string[]; second?: string[] }, publishes: boolean) => {
  const done: string[] = []
  const step = (name: 'first' | 'second'): Step => [
    name,
    () => {
      done.push(name)
      return found[name] ?? []
    },
  ]
  const lines: string[] = []
  const good = await release({
    version: found.version ?? [],
    steps: [step('first'), step('second')],
    ...(publishes && { publish: () => void done.push('publish') }),
    log: (line) => void lines.push(line),
  })
  return { good, done, lines }
}

describe('a release', () => {
  test('publishes after every step, if it is asked to', async () => {
    expect(await outcome({}, true)).toMatchObject({ good: true, done: ['first', 'second', 'publish'] })
  })

  test('publishes nothing if it is not asked to', async () => {
    const { good, done, lines } = await outcome({}, false)
    expect({ good, done, last: lines.at(-1) }).toEqual({
      good: true,
      done: ['first', 'second'],
      last: 'dry run: nothing is published',
    })
  })

  test('publishes nothing if a step finds something, and takes the other steps', async () => {
    expect(await outcome({ first: ['too large'] }, true)).toEqual({
      good: false,
      done: ['first', 'second'],
      lines: ['ok      version', 'failed  first', 'too large', 'ok      second'],
    })
  })

  test('stops before its first step if the version cannot be published', async () => {
    expect(await outcome({ version: ['a tag already'] }, true)).toEqual({
      good: false,
      done: [],
      lines: ['waits   version', 'a tag already'],
    })
  })

  test('takes every step of a dry run for a version that cannot be published yet, and tells why', async () => {
    const { good, done, lines } = await outcome({ version: ['a changeset'] }, false)
    expect({ good, done, lines: lines.slice(0, 2) }).toEqual({
      good: true,
      done: ['first', 'second'],
      lines: ['waits   version', 'a changeset'],
    })
  })
})
