import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { DefaultTheme } from 'vitepress'

const pages = fileURLToPath(new URL('../.pages', import.meta.url))

const titleOf = (name: string): string =>
  /^# (.+)$/m.exec(readFileSync(join(pages, `${name}.md`), 'utf8'))?.[1]?.replaceAll('`', '') ?? name

const page = (name: string, text = titleOf(name)): DefaultTheme.SidebarItem => ({ text, link: `/${name}` })

const below = (folder: string): string[] =>
  readdirSync(join(pages, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => name.slice(0, -3))
    .sort()

const all = (folder: string): DefaultTheme.SidebarItem[] =>
  below(folder).flatMap((name) => (name === 'index' ? [] : [page(`${folder}/${name}`)]))

/** The guide by subject. A page of `docs` that no list names comes last, so that no page is without a way to it. */
const SUBJECTS: readonly (readonly [string, readonly string[]])[] = [
  [
    'Requests and responses',
    ['routing', 'context', 'requests', 'responses', 'errors', 'accepts', 'html', 'static', 'proxy'],
  ],
  ['Data', ['z', 'database', 'foundation']],
  ['API and clients', ['openapi', 'client', 'realtime', 'authentication']],
  ['Run it', ['cli', 'testing', 'deployment', 'runtime', 'node-servers', 'operations', 'scaling']],
  ['Security', ['security', 'advisories']],
  ['Facts', ['benchmarks', 'bytes', 'api', 'changelog']],
]
const START = ['start', 'tutorial', 'transcript', 'functions', 'migrating']

const listed = new Set([...START, ...SUBJECTS.flatMap(([, names]) => names), 'index'])
const others = below('').filter((name) => !name.includes('/') && !listed.has(name))

/** The sections of the page on moving, each by what one comes from. */
const moving = ['Hono', 'Fastify', 'Express', 'zod'].map((from) => ({
  text: `From ${from}`,
  link: `/migrating#${from.toLowerCase()}`,
}))

const inGuide = ([text, names]: (typeof SUBJECTS)[number]): DefaultTheme.SidebarItem => ({
  text,
  items: names.map((name) => page(name)),
})

const guide: DefaultTheme.SidebarItem[] = [
  {
    text: 'Start',
    items: [
      ...START.filter((name) => name !== 'migrating').map((name) => page(name)),
      { text: 'How do I …', link: '/recipes/' },
      { text: 'Middleware', link: '/middleware/' },
    ],
  },
  ...SUBJECTS.map(inGuide),
  { text: 'Moving', items: [page('migrating', 'From others'), ...moving] },
  ...(others.length > 0 ? [inGuide(['More', others])] : []),
]

/** The recipes by subject, as their index has them. */
const recipesBySubject = (): DefaultTheme.SidebarItem[] =>
  readFileSync(join(pages, 'recipes/index.md'), 'utf8')
    .split(/^## /m)
    .slice(1)
    .map((section) => ({
      text: section.slice(0, section.indexOf('\n')),
      items: Array.from(section.matchAll(/^- \[(.+)\]\((.+)\.md\)$/gm), ([, text, name]) =>
        page(`recipes/${name}`, text),
      ),
    }))

/** Groups that open and close would nest one button in another, so recipes and middleware have a sidebar each. */
const recipes = [{ text: 'Recipes', items: [{ text: 'All', link: '/recipes/' }] }, ...recipesBySubject()]
const middleware = [
  { text: 'Middleware', items: [{ text: 'All, and their order', link: '/middleware/' }, ...all('middleware')] },
]

const reference = below('reference')
const groupOf = (name: string): string => (name.includes('/') ? name.slice(0, name.indexOf('/')) : '')
const groups = [...new Set(reference.map(groupOf))].map((group) => ({
  group,
  names: reference.filter((name) => name !== 'index' && groupOf(name) === group),
}))

/** Every page holds its sidebar as HTML, so a page of a group lists its own group, and the others by their name. */
const ofReference = Object.fromEntries(
  groups.map(({ group, names }) => [
    group ? `/reference/${group}/` : '/reference/',
    [
      {
        text: 'Reference',
        items: [
          { text: 'Every subpath, with sizes', link: '/api' },
          { text: 'sluice', link: '/reference/' },
        ],
      },
      {
        text: group ? `sluice/${group}/` : 'sluice/',
        items: names.map((name) => ({ text: group ? name.slice(group.length + 1) : name, link: `/reference/${name}` })),
      },
      {
        text: 'Others',
        items: groups
          .filter((other) => other.group !== group)
          .map((other) => ({
            text: other.group ? `sluice/${other.group}/` : 'sluice/',
            link: `/reference/${other.names[0]}`,
          })),
      },
    ],
  ]),
)

export const sidebar: DefaultTheme.Sidebar = {
  ...ofReference,
  '/recipes/': recipes,
  '/middleware/': middleware,
  '/': guide,
}

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))

export const nav: DefaultTheme.NavItem[] = [
  { text: 'Guide', link: '/start' },
  { text: 'Recipes', link: '/recipes/', activeMatch: '^/recipes/' },
  { text: 'Middleware', link: '/middleware/', activeMatch: '^/middleware/' },
  { text: 'Reference', link: '/reference/', activeMatch: '^/(?:reference/|api)' },
  { text: 'Playground', link: '/playground/', target: '_self' },
  {
    text: version,
    items: [
      { text: 'Changelog', link: '/changelog' },
      { text: 'llms.txt', link: '/llms.txt', target: '_self' },
    ],
  },
]
