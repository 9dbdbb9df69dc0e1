import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/**
 * A code block of the documentation. A comment right above it says what its readers need not see:
 *
 * - `<!-- given: … -->` code that stands before the block; with `on this page`, before each block of the page
 * - `<!-- given as shop: … -->` anywhere on the page, code with a name: `<!-- given: as shop -->` stands for it
 * - `<!-- given: npm start -->` above a console block: it talks to the example of this repository
 * - `<!-- throws: message -->` the block ends with this error
 * - `<!-- not run: reason -->` its types are checked, and that is all
 * - `<!-- not checked: reason -->` it is run, and its types are not checked; with `on this page`, all blocks of the page
 * - `<!-- not tested: reason -->` neither
 *
 * Console blocks that begin with `$ curl` talk to the program above them; those with `$ npx sluice` are a session in a
 * project, which `commands.e2e.ts` replays with the packed package.
 */
export interface Block {
  readonly page: string
  readonly line: number
  readonly language: string
  readonly text: string
  /** The block of language `text` right below: what the program prints. */
  readonly output: string | undefined
  readonly notes: Readonly<Record<string, string>>
  /** The nearest program above on the page that listens, or exports an application: a console block talks to it. */
  readonly server: Block | undefined
}

/** Pages that users read. `docs/contract` is for those who change the package, and its snippets are no programs. */
const pages = (): string[] => [
  'README.md',
  ...readdirSync(`${root}docs`, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md') && !name.startsWith('contract'))
    .sort()
    .map((name) => `docs/${name}`),
]

const NAMED = /<!-- given as (\w+): ([\s\S]*?)-->/g

/** Comments with nothing but blank lines between them and the fence, and a fenced block. */
const BLOCK = /((?:<!--[\s\S]*?-->\s*)*)^```(\w*)[^\n]*\n([\s\S]*?)^```$/gm
const NOTE =
  /<!-- (given on this page|given|throws|not run|not checked on this page|not checked|not tested): ([\s\S]*?)-->/g

const notesOf = (comments: string): Record<string, string> =>
  Object.fromEntries([...comments.matchAll(NOTE)].map(([, name, text]) => [name!, text!.trim()]))

/** All blocks of a page, in order. */
export const blocksOf = (page: string, markdown: string): Block[] => {
  const ofPage = notesOf(markdown)
  const named = new Map(Array.from(markdown.matchAll(NAMED), ([, name, text = '']) => [`as ${name}`, text.trim()]))
  const always = { given: ofPage['given on this page'], unchecked: ofPage['not checked on this page'] }
  const blocks: Block[] = []
  let server: Block | undefined
  const found = [...markdown.matchAll(BLOCK)]
  for (const [at, { 0: whole, 1: comments = '', 2: language = '', 3: text = '', index }] of found.entries()) {
    const next = found[at + 1]
    const follows = next?.[2] === 'text' && markdown.slice(index + whole.length, next.index).trim() === ''
    const line = markdown.slice(0, index + comments.length).split('\n').length
    const notes = notesOf(comments)
    if (notes.given) notes.given = named.get(notes.given) ?? notes.given
    if (always.given && language === 'ts') notes.given = [always.given, notes.given].filter(Boolean).join('\n')
    if (always.unchecked) notes['not checked'] ??= always.unchecked
    const block = { page, line, language, text, output: follows ? next[3] : undefined, notes, server }
    if (language === 'ts' && /\.listen\(|^export default/m.test(text)) server = block
    blocks.push(block)
  }
  return blocks
}

/** All blocks of README.md and of the pages below `docs`. */
export const allBlocks = (): Block[] => pages().flatMap((page) => blocksOf(page, readFileSync(root + page, 'utf8')))

/** The file that a program is: the one that its first line names, so that the programs of a page import each other. */
export const fileOf = ({ page, line, text }: Block): string =>
  `${page.replace(/\W/g, '-')}/${/^\/\/ (\S+\.ts)\n/.exec(text)?.[1] ?? `line-${line}.ts`}`

/** The program with what is given, less the lines that it has itself. */
export const sourceOf = ({ text, notes }: Block): string => {
  const given = (notes.given ?? '').split('\n').filter((line) => !(line.startsWith('import ') && text.includes(line)))
  return `${given.join('\n')}\n${text}\nexport {}\n`
}

/** `expression // → value` and `expression // throws message` become calls of `check`, which a runner provides. */
export const checkedSourceOf = (block: Block): string =>
  sourceOf(block).replace(/^(?! )(.*?) \/\/ (→|throws) (.*)$/gm, (_, expression, kind, expected) => {
    const value = kind === '→' ? `() => (${expected})` : JSON.stringify(expected)
    return `;await globalThis.check(async () => (${expression}), ${value});`
  })

/** True for programs that serve until they are stopped: they need a process of their own. */
export const listens = ({ text }: Block): boolean => /\.listen\(/.test(text) && !/close\(\)$/m.test(text)

/** Pages whose console blocks are one session in a project. */
const SESSIONS = ['docs/transcript.md', 'docs/cli.md']

/** True for the console blocks that `commands.e2e.ts` replays. */
export const isReplayed = ({ page, language, notes }: Block): boolean =>
  SESSIONS.includes(page) && language === 'console' && !notes['not tested']

/** The console blocks that ask a server of their page. */
export const conversations = (blocks: readonly Block[]): Block[] =>
  blocks.filter((block) => /^\$ curl /m.test(block.text) && !isReplayed(block) && !block.notes['not tested'])
