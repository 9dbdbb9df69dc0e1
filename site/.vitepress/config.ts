import { watch } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitepress'
import { stagePage } from '../stage.mjs'
import { writeTexts } from './llms.ts'
import { sluiceMarkdown } from './markdown.ts'
import { search } from './search.ts'
import { nav, sidebar } from './sidebar.ts'

const docs = fileURLToPath(new URL('../../docs', import.meta.url))

/** While the site is served, a page that changes in `docs` is staged anew. */
const restage = {
  name: 'restage',
  configureServer() {
    watch(docs, { recursive: true }, (_, name) => {
      if (name?.endsWith('.md') && !name.startsWith('contract')) stagePage(name)
    })
  },
}

/** Anchors as GitHub makes them, so that a link works in both places. */
const slugify = (heading: string): string =>
  heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-')

export default defineConfig({
  title: 'sluice',
  description: 'A functional toolkit for HTTP applications in TypeScript, for Node, Bun, Deno and the edge.',
  lang: 'en',
  srcDir: '.pages',
  outDir: 'dist',
  cleanUrls: true,
  // Else every page holds the sidebars of all pages as a script
  metaChunk: true,
  head: [['link', { rel: 'icon', href: '/favicon.svg', type: 'image/svg+xml' }]],
  markdown: {
    config: sluiceMarkdown,
    anchor: { slugify },
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
  },
  ignoreDeadLinks: [/^\/playground\//],
  vite: { plugins: [restage], build: { chunkSizeWarningLimit: 2000 } },
  themeConfig: {
    logo: '/favicon.svg',
    nav,
    sidebar,
    outline: [2, 3],
    search,
    docFooter: { prev: 'Before', next: 'Next' },
  },
  buildEnd: writeTexts,
})
