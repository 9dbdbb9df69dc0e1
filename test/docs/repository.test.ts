import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { parseDocument } from 'yaml'

const root = fileURLToPath(new URL('../..', import.meta.url))
const read = (file: string): string => readFileSync(join(root, file), 'utf8')
const manifest = JSON.parse(read('package.json'))

const yamlFiles = readdirSync(join(root, '.github'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.yml'))
  .map((name) => `.github/${name}`)
const below = (folder: string): string[] => yamlFiles.filter((file) => file.startsWith(`.github/${folder}/`))
const parsed = (file: string) => parseDocument(read(file)).toJS()

/** Commands of the package and files of the checkout that a text runs. */
const commandsOf = (text: string): { scripts: string[]; files: string[] } => ({
  scripts: Array.from(text.matchAll(/npm run ([\w:]+)/g), ([, name]) => name!),
  files: Array.from(text.matchAll(/(?:node |^\s*(?:- )?run: )((?:after\/)?[\w./-]+\.mjs|\.ci\/\w+)/gm), ([, name]) =>
    name!.replace(/^after\//, ''),
  ),
})

test.each(yamlFiles)('%s is YAML without errors and warnings', (file) => {
  const { errors, warnings } = parseDocument(read(file))
  expect({ errors, warnings }).toEqual({ errors: [], warnings: [] })
})

describe('issue forms', () => {
  const forms = below('ISSUE_TEMPLATE').filter((file) => !file.endsWith('config.yml'))

  test.each(forms)('%s has a name, a description and labels, and each field an id and a label', (file) => {
    const form = parsed(file)
    const fields: { type: string; id?: string; attributes: { label?: string } }[] = form.body.filter(
      ({ type }: { type: string }) => type !== 'markdown',
    )
    expect(form).toEqual({
      name: expect.any(String),
      description: expect.any(String),
      labels: [expect.any(String)],
      body: expect.any(Array),
    })
    expect(fields.filter(({ id, attributes }) => !id || !attributes.label)).toEqual([])
    expect(new Set(fields.map(({ id }) => id)).size).toBe(fields.length)
    expect(fields.filter(({ type }) => !['dropdown', 'textarea', 'input', 'checkboxes'].includes(type))).toEqual([])
  })

  test('a bug needs its runtime and a reproduction', () => {
    const required = parsed('.github/ISSUE_TEMPLATE/bug.yml')
      .body.filter((field: { validations?: { required: boolean } }) => field.validations?.required)
      .map(({ id }: { id: string }) => id)
    expect(required).toEqual(expect.arrayContaining(['runtime', 'reproduction']))
  })
})

describe.each(below('workflows'))('%s', (file) => {
  const workflow = parsed(file)
  const jobs = Object.values(workflow.jobs)

  test('grants nothing but reading to the whole of it, and never runs a fork with the rights of the base', () => {
    expect(workflow.permissions).toEqual({ contents: 'read' })
    expect(Object.keys(workflow.on)).not.toContain('pull_request_target')
  })

  test('says for each job where it runs, and when it has taken too long', () => {
    expect(jobs).toEqual(
      jobs.map(() => expect.objectContaining({ 'runs-on': expect.any(String), 'timeout-minutes': expect.any(Number) })),
    )
  })

  test('uses only actions of GitHub, by commit, with the version beside it', () => {
    const used = Array.from(read(file).matchAll(/uses: (.+)/g), ([, name]) => name!)
    expect(used.filter((name) => !/^actions\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(name))).toEqual([])
  })

  test('uses no stored secret', () => {
    expect(read(file)).not.toContain('secrets.')
  })

  test('runs scripts and files that are there', () => {
    const { scripts, files } = commandsOf(read(file))
    expect([...scripts, ...files]).not.toEqual([])
    expect(scripts.filter((name) => !(name in manifest.scripts))).toEqual([])
    expect(files.filter((name) => !existsSync(join(root, name)))).toEqual([])
  })
})

test('pages for those who change the package name scripts that are there', () => {
  const pages = ['CONTRIBUTING.md', 'AGENTS.md', '.github/PULL_REQUEST_TEMPLATE.md', '.changeset/README.md']
  const scripts = pages.flatMap((page) => commandsOf(read(page)).scripts)
  expect(scripts.length).toBeGreaterThan(10)
  expect(scripts.filter((name) => !(name in manifest.scripts))).toEqual([])
})

test('folders with packages of their own are those that dependabot reads', () => {
  const { updates } = parsed('.github/dependabot.yml')
  expect(updates.map((update: { 'package-ecosystem': string }) => update['package-ecosystem'])).toEqual([
    'npm',
    'github-actions',
  ])
  const folders = updates[0].directories.map((folder: string) => join(root, folder.replace('/**', '')))
  expect(folders.filter((folder: string) => !existsSync(folder))).toEqual([])
})

test('.nvmrc is the oldest version that `engines` allows', () => {
  expect(manifest.engines.node).toMatch(new RegExp(`^>=${read('.nvmrc').trim()}\\.`))
})

test('changesets and npm agree who may see the package', () => {
  expect(JSON.parse(read('.changeset/config.json'))).toMatchObject({
    access: manifest.publishConfig.access,
    baseBranch: 'main',
  })
})
