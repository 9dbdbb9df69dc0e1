/**
 * Copies the pages into `site/.pages`, which is what VitePress renders: `docs` without the contract, the changelog, and
 * the few pages of the site itself in `site/pages`. The pages of `docs` stay as GitHub and the installed package show
 * them; what only the site needs is added here.
 */
import { appendFileSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { advisoriesTable } from './advisories.mjs'
import { placeOf } from './order.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const out = join(root, 'site/.pages')

/** The pages of `docs` by their path in it. */
const pagesOfDocs = () =>
  readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.md') && !name.startsWith('contract'),
  )

/** Change the text of a page, but not its code. */
const outsideCode = (text, change) =>
  text
    .split(/(^```[\s\S]*?^```$)/m)
    .map((part) => (part.startsWith('```') ? part : change(part)))
    .join('')

/** Links to files that are no page of the site become their text; those to the README lead to the start. */
const withSiteLinks = (text) =>
  outsideCode(text, (part) =>
    part
      .replace(/\[([^\]]+)\]\((?:\.\.\/)+README\.md(#[^)]*)?\)/g, '[$1](/start)')
      .replace(/\[([^\]]+)\]\((?:\.\.\/)*(?:examples|contract|src|test)\/[^)]*\)/g, '$1')
      .replace(/\[([^\]]+)\]\((?:\.\.\/)+(?:ARCHITECTURE|CONTRIBUTING|package|size-limit)[^)]*\)/g, '$1')
      .replace(/\]\((?:\.\.\/)*(?:docs\/)?SECURITY\.md/g, '](/advisories.md')
      .replace(/\]\((?:\.\.\/)+CHANGELOG\.md/g, '](/changelog.md'),
  )

/** Below the title of a middleware: where it stands in the recommended order. */
const withPlace = (name, text) => {
  const place = name.startsWith('middleware/') ? placeOf(name.slice('middleware/'.length, -3)) : undefined
  return place ? text.replace(/^(# .+\n)/, `$1\n${place}\n`) : text
}

/** A recipe is short: the place of its outline is for its program. */
const withRoom = (name, text) => (name.startsWith('recipes/') ? `---\naside: false\n---\n\n${text}` : text)

/** The page on bytes gets a map of the folders, before its first section. */
const withMap = (name, text) =>
  name === 'bytes.md'
    ? `<script setup>\nimport Bytes from '../.vitepress/theme/Bytes.vue'\n</script>\n\n${text.replace(/^## /m, '<Bytes />\n\n## ')}`
    : text

const write = (name, text) => {
  mkdirSync(dirname(join(out, name)), { recursive: true })
  writeFileSync(join(out, name), text)
}

/** The text of a page without the comments that are for the tests. */
export const withoutComments = (text) => text.replace(/^<!--[\s\S]*?-->\n/gm, '')

export const stagePage = (name) => {
  const text = withSiteLinks(readFileSync(join(root, 'docs', name), 'utf8'))
  write(name, withRoom(name, withMap(name, withPlace(name, text))))
}

/** Links of files at the root begin with `docs/`. */
const stageRootPage = (file, name) =>
  write(name, withSiteLinks(readFileSync(join(root, file), 'utf8').replaceAll('](docs/', '](./')))

export const stage = () => {
  rmSync(out, { recursive: true, force: true })
  for (const name of pagesOfDocs()) stagePage(name)
  cpSync(join(root, 'docs/benchmarks'), join(out, 'benchmarks'), { recursive: true })
  stageRootPage('CHANGELOG.md', 'changelog.md')
  stageRootPage('SECURITY.md', 'advisories.md')
  appendFileSync(join(out, 'advisories.md'), `\n${advisoriesTable()}`)
  cpSync(join(root, 'site/pages'), out, { recursive: true })
  cpSync(join(root, 'site/public'), join(out, 'public'), { recursive: true })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) stage()
