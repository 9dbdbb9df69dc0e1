import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SiteConfig } from 'vitepress'
import { withoutComments } from '../stage.mjs'

/** Pages of figures and of sessions, which would fill the context of a model and teach it little. */
const NOT_IN_FULL = /^(?:benchmarks|bytes|transcript|changelog|advisories|api|index|reference\/|middleware\/index)/

/** The first sentence below the title. */
const firstSentence = (text: string): string =>
  /^# .+\n+(?:<[^\n]*\n+|\[[^\n]*\n+)*([^\n#`<|][^\n]*(?:\n[^\n#`<|][^\n]*)*)/m
    .exec(text)?.[1]
    ?.replaceAll('\n', ' ')
    .replace(/(?<=\.) .*/, '') ?? ''

/** Writes `llms.txt`, `llms-full.txt`, and the markdown of each page beside it. */
export const writeTexts = ({ srcDir, outDir, pages }: SiteConfig): void => {
  const list: string[] = []
  const full: string[] = []
  for (const page of pages.toSorted()) {
    const source = readFileSync(join(srcDir, page), 'utf8').replace(/^---\n[\s\S]*?\n---\n+/, '')
    const text = withoutComments(source)
    const title = /^# (.+)$/m.exec(text)?.[1]
    if (!title || page === 'middleware/index.md') continue
    writeFileSync(join(outDir, page), text)
    if (!page.startsWith('reference/')) list.push(`- [${title}](/${page}): ${firstSentence(text)}`)
    if (!NOT_IN_FULL.test(page)) full.push(`<page path="/${page}">\n${text}\n</page>\n`)
  }
  const head =
    '# sluice\n\n> A functional toolkit for HTTP applications in TypeScript: Node, Bun, Deno and the edge.\n\n' +
    'Every page is markdown at its address with `.md`. `/reference/<subpath>.md` has the exports of a subpath.\n'
  writeFileSync(join(outDir, 'llms.txt'), `${head}\n${list.join('\n')}\n`)
  writeFileSync(join(outDir, 'llms-full.txt'), full.join('\n'))
}
