import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { MarkdownRenderer } from 'vitepress'
import { isInstall, MANAGERS, runsInBrowser } from './blocks.ts'

/** The renderer of VitePress is that of markdown-it. */
type Token = ReturnType<MarkdownRenderer['parse']>[number]

const reference = fileURLToPath(new URL('../.pages/reference', import.meta.url))
const GIVEN = /<!-- given: ([\s\S]*?)-->/
const TAB = /<!-- tab: (.+?) -->/

const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** The page of the reference for a subpath that a text names. */
const referenceOf = (text: string): string | undefined => {
  const subpath = /^sluice\/([\w/-]+)$/.exec(text)?.[1]
  return subpath && existsSync(`${reference}/${subpath}.md`) ? `/reference/${subpath}` : undefined
}

/** Comment right above a fence. */
const commentAbove = (tokens: readonly Token[], at: number): string =>
  tokens[at - 1]?.type === 'html_block' ? tokens[at - 1]!.content : ''

/** The path of the first `curl` below a program, which the playground asks for. */
const pathBelow = (tokens: readonly Token[], at: number): string | undefined => {
  const after = tokens.slice(at + 1, at + 3).find(({ type }) => type === 'fence')
  return after?.info.startsWith('console') ? /^\$ curl localhost:3000(\/\S*)$/m.exec(after.content)?.[1] : undefined
}

/** The step of the tutorial that a program belongs to, which the playground shows with its text. */
const stepOf = (tokens: readonly Token[], at: number, path: string | undefined): string | undefined => {
  if (path !== 'tutorial.md') return undefined
  const heading = tokens.slice(0, at).findLastIndex(({ type }) => type === 'heading_open')
  return /^(\d+)\. /.exec(tokens[heading + 1]?.content ?? '')?.[1]
}

const attribute = (name: string, value: string | undefined): string =>
  value ? ` data-${name}="${escape(value).replaceAll('\n', '&#10;')}"` : ''

/** Wrap a program that a browser can run, with a button that opens it in the playground. */
const withButton = (html: string, path: string | undefined, given: string, step: string | undefined): string =>
  `<div class="runs">${html}<button class="run" type="button" title="Open in the playground"${attribute('path', path)}${attribute('given', given)}${attribute('step', step)}>Try it</button></div>`

/**
 * What the site adds to the markdown of the pages: names of files, tabs of package managers and runtimes, "Try it". The
 * comments of the tests are dropped here, and not by CSS: the index of the search would keep what stands behind a `>`.
 */
export const sluiceMarkdown = (md: MarkdownRenderer): void => {
  const { rules } = md.renderer
  const fence = rules.fence!
  const block = rules.html_block!

  // Vue would read `{{` in code and in text as an expression
  rules.code_inline = (tokens, at, _options, env) => {
    const { content } = tokens[at]!
    const code = `<code v-pre>${escape(content)}</code>`
    const isLinked = tokens[at - 1]?.type === 'link_open' || env.relativePath?.startsWith('reference/')
    const page = isLinked ? undefined : referenceOf(content)
    return page ? `<a href="${page}">${code}</a>` : code
  }
  rules.text = (tokens, at) => escape(tokens[at]!.content).replaceAll('{{', '&#123;&#123;')
  rules.html_block = (...args) => (/^\s*<!--/.test(args[0][args[1]]!.content) ? '' : block(...args))

  rules.fence = (tokens, at, options, env, self) => {
    const token = tokens[at]!
    const above = commentAbove(tokens, at)
    const file = /^\/\/ ([\w./-]+\.\w+)\n/.exec(token.content)?.[1]
    if (file) token.content = token.content.slice(token.content.indexOf('\n') + 1)
    const rendered = fence(tokens, at, options, env, self)
    const named = file ? `<div class="file"><span class="file-name">${escape(file)}</span>${rendered}</div>` : rendered
    const given = (GIVEN.exec(above)?.[1] ?? '').trim()
    const isProgram = token.info.trim().split(/\s/)[0] === 'ts' && !env.relativePath?.startsWith('reference/')
    const html =
      isProgram && runsInBrowser(`${given}\n${token.content}`)
        ? withButton(named, pathBelow(tokens, at), given, stepOf(tokens, at, env.relativePath))
        : named
    const tab = TAB.exec(above)?.[1]
    return tab ? html.replace('<div', `<div data-tab="${escape(tab)}"`) : html
  }

  md.core.ruler.push('tabs', (state) => {
    state.tokens = withTabs(state.tokens, state.Token, state.env.relativePath ?? '')
  })
}

/** Commands become tabs of package managers, neighbouring blocks below `<!-- tab: … -->` those of runtimes. */
const withTabs = (
  tokens: readonly Token[],
  Made: new (type: string, tag: string, nesting: 0) => Token,
  path: string,
): Token[] => {
  const out: Token[] = []
  let groups = 0
  const html = (content: string): Token => Object.assign(new Made('html_block', '', 0), { content })

  const pushTabs = (titles: readonly string[], fences: readonly Token[], kind: string): void => {
    groups += 1
    const name = `t${groups}-${path.replace(/\W/g, '')}`
    const labels = titles.map(
      (title, i) =>
        `<input type="radio" name="${name}" id="${name}-${i}"${i ? '' : ' checked'}><label data-title="${escape(title)}" for="${name}-${i}">${escape(title)}</label>`,
    )
    out.push(
      html(
        `<div class="vp-code-group" data-sync="${kind}"><div class="tabs">${labels.join('')}</div><div class="blocks">`,
      ),
    )
    for (const [i, token] of fences.entries()) {
      if (i === 0) token.info += ' active'
      out.push(token)
    }
    out.push(html('</div></div>'))
  }

  const tabAt = (at: number): string | undefined =>
    tokens[at]?.type === 'html_block' && tokens[at + 1]?.type === 'fence'
      ? TAB.exec(tokens[at]!.content)?.[1]
      : undefined

  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at]!
    if (tabAt(at)) {
      const titles: string[] = []
      const fences: Token[] = []
      for (; tabAt(at); at += 2) {
        titles.push(tabAt(at)!)
        fences.push(tokens[at + 1]!)
      }
      at -= 1
      pushTabs(titles, fences, 'runtime')
    } else if (token.type === 'fence' && isInstall(token.info, token.content)) {
      const copies = Object.values(MANAGERS).map((write) =>
        Object.assign(new Made('fence', 'code', 0), token, { content: write(token.content) }),
      )
      pushTabs(Object.keys(MANAGERS), copies, 'manager')
    } else out.push(token)
  }
  return out
}
