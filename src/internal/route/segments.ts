import { Bag } from '../bag.ts'
import type { CreateRouter, Match, Point, RouterEntry } from './match.ts'

/** A pattern that ends at a segment. */
interface Leaf<T> {
  readonly value: T
  readonly names: readonly string[]
  readonly wild: boolean
}

/** A segment of a path. `leaf` ends here, `rest` is `/*name` below, `any` a bare `/*`. */
interface Segment<T> extends Point<Segment<T>> {
  readonly next: Map<string, Segment<T>>
  param: Segment<T> | undefined
  leaf: Leaf<T> | undefined
  rest: Leaf<T> | undefined
  any: Leaf<T> | undefined
}

/** What was captured during one lookup; lookups are synchronous, so one list serves all. */
const values: string[] = []

const segment = <T>(): Segment<T> => ({
  next: new Map(),
  param: undefined,
  leaf: undefined,
  rest: undefined,
  any: undefined,
})

/** Whole static paths in a map, patterns in a tree of segments: static before `:name` before `*name`, with backtracking. */
export const createSegmentRouter: CreateRouter = <T>(entries: readonly RouterEntry<T>[], strict?: boolean) => {
  const methods = new Set(entries.map((entry) => entry.method))
  if (methods.has('GET')) methods.add('HEAD')
  const tables = new Map<string, [statics: Map<string, Match<T>>, tree: Segment<T>]>()
  const tableOf = (asked: string) => {
    const key = methods.has(asked) ? asked : '*'
    let table = tables.get(key)
    if (!table) {
      table = [new Map(), segment()]
      tables.set(key, table)
      for (const wanted of [key, key === 'HEAD' ? 'GET' : key, '*']) {
        for (const entry of entries) if (entry.method === wanted) insert(...table, trimmed(entry.path, strict), entry)
      }
    }
    return table
  }
  return {
    methods,
    find(method, path) {
      const [statics, tree] = tables.get(method) ?? tableOf(method)
      const short = trimmed(path, strict)
      const match = statics.get(short)
      if (match) return match
      const leaf = walk(tree, path, 0, short.length, 0)
      return leaf && { value: leaf.value, params: capture(leaf, path.includes('%')) }
    },
  }
}

/** A pattern that comes again changes nothing: the first wins. */
const insert = <T>(
  statics: Map<string, Match<T>>,
  tree: Segment<T>,
  path: string,
  { value, where }: RouterEntry<T>,
): void => {
  const names: string[] = []
  let at = tree
  let slot: 'leaf' | 'rest' | 'any' = 'leaf'
  for (const part of path.split('/').slice(1)) {
    const [kind] = part
    if (kind === '*') slot = part[1] ? 'rest' : 'any'
    else if (kind === ':') {
      at = at.param ??= segment()
      at = where?.[part.slice(1)]?.(at, segment<T>) ?? at
    } else {
      const known: Segment<T> = at.next.get(part) ?? segment()
      at.next.set(part, known)
      at = known
    }
    if (kind === ':' || kind === '*') names.push(part.slice(1) || kind)
  }
  if (names[0]) at[slot] ??= { value, names, wild: slot !== 'leaf' }
  else if (!statics.has(path)) statics.set(path, { value, params: undefined })
}

const trimmed = (path: string, strict?: boolean): string =>
  !strict && path.length > 2 && path.endsWith('/') ? path.slice(0, -1) : path

const capture = <T>({ names, wild }: Leaf<T>, escaped: boolean): Record<string, string> => {
  const params: Record<string, string> = new Bag()
  names.forEach((name, index) => {
    const text = values[index]!
    // In a wildcard `%2F` stays as it is, so its segments are those that the sender meant
    params[name] = escaped
      ? decodeURIComponent(wild && !names[index + 1] ? text.replace(/%(?=2f)/gi, '%25') : text)
      : text
  })
  return params
}

/** Depth first, most specific first. */
const walk = <T>(at: Segment<T>, path: string, index: number, end: number, depth: number): Leaf<T> | undefined => {
  if (index < end) {
    const slash = path.indexOf('/', index + 1)
    const stop = slash < 0 || slash > end ? end : slash
    const text = path.slice(index + 1, stop)
    const child = at.next.get(text)
    let found = child && walk(child, path, stop, end, depth)
    if (!found && at.param && text) {
      values[depth] = text
      found =
        at.param.forks?.(text, (one) => walk(one, path, stop, end, depth + 1)) ??
        walk(at.param, path, stop, end, depth + 1)
    }
    if (found) return found
  } else if (at.leaf) return at.leaf
  const leaf = at.rest && (path[index + 1] ?? '/') !== '/' ? at.rest : at.any
  if (leaf) values[depth] = path.slice(index + 1)
  return leaf
}
