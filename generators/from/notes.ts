import type { Note } from './document.ts'

/** The result of reading a document: the number of routes, and the notes on what a project leaves out. */
interface Reading {
  readonly count: number
  readonly notes: readonly Note[]
}

/** Places that are named for one kind of note; `--json` and the file have all of them. */
const SHOWN = 3

/** Lines for the terminal about the parts of a document that a project leaves out, each note once. */
export const noteLines = (from: Reading | undefined): readonly string[] => {
  if (!from) return []
  const places = placesOf(from.notes)
  const routes = `${from.count} ${from.count === 1 ? 'route' : 'routes'} of the document`
  if (!places.size) return ['', `${routes}, with everything that it says`]
  const lines = [...places].map(([what, all]) => {
    const named = [...all].slice(0, SHOWN).join('; ')
    return `  ${what}: ${named}${all.size > SHOWN ? `; and ${all.size - SHOWN} more` : ''}`
  })
  return ['', `${routes}. Not in the project as the document says it (FROM.md has every place):`, ...lines]
}

/** The same as a page of the project, with every place. */
export const notesPage = (notes: readonly Note[]): string => {
  const parts = [...placesOf(notes)].map(
    ([what, all]) => `## ${what}\n\n${[...all].map((where) => `- ${where}\n`).join('')}`,
  )
  return [
    '# What the OpenAPI document says and the project does not\n',
    'Examples, titles and extensions (`x-…`) are not carried over either. Remove this page when you have read it.\n',
    ...(parts.length ? parts : ['Nothing else is missing.\n']),
  ].join('\n')
}

/** Every place of each note. */
const placesOf = (notes: readonly Note[]): ReadonlyMap<string, ReadonlySet<string>> => {
  const places = new Map<string, Set<string>>()
  for (const { where, what } of notes) places.set(what, (places.get(what) ?? new Set()).add(where))
  return places
}
