import type { DefaultTheme, MarkdownRenderer } from 'vitepress'

/** What the search knows of a page of the reference: its names, and the first paragraph of each. */
const namesOnly = (source: string): string =>
  source
    .replace(/^```[\s\S]*?^```$/gm, '')
    .replace(/^\|.*$/gm, '')
    .replace(/^## Also exported[\s\S]*/m, '')
    .replace(/(^## .+\n\n[^\n]*)(?:\n(?!## ).*)*/gm, '$1\n\n')

/** A page as HTML without colours in its code, which the index drops and which take half the time of a build. */
const renderPlain = (md: MarkdownRenderer, source: string, env: unknown): string => {
  const { highlight } = md.options
  md.set({ highlight: null })
  try {
    return md.render(source, env)
  } finally {
    md.set({ highlight })
  }
}

/** Local search: guides and recipes before the reference, identifiers found by their words. */
export const search: DefaultTheme.Config['search'] = {
  provider: 'local',
  options: {
    _render(source, env, md) {
      // A list of all names would be the first result of every search
      if (env.relativePath === 'api.md' || env.frontmatter?.search === false) return ''
      return renderPlain(md, env.relativePath.startsWith('reference/') ? namesOnly(source) : source, env)
    },
    miniSearch: {
      // These functions are written into the page as text, so they use nothing from outside
      options: {
        processTerm: (term: string) =>
          /^(?:how|do|does|i|to|an?|the|of|my|with|in|can|is|it|for|on|per|from|by|what|which)$/i.test(term)
            ? null
            : term.toLowerCase(),
        tokenize: (text: string) =>
          text
            .split(/[^\p{L}\p{N}_]+/u)
            .flatMap((word) => (/[a-z][A-Z]/.test(word) ? [word, ...word.split(/(?<=[a-z\d])(?=[A-Z])/)] : [word])),
      },
      searchOptions: {
        fuzzy: 0.15,
        prefix: true,
        combineWith: 'AND',
        boost: { title: 6, titles: 2, text: 1 },
        boostDocument: (id: string) =>
          id.includes('/reference/') ? 0.25 : id.includes('/recipes/') ? 1.5 : id.includes('/changelog') ? 0.2 : 1,
      },
    },
    detailedView: false,
  },
}
