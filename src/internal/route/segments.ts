import { NullRecord } from '../object/null-record.ts'
import type { CreateRouter, Match, RouterEntry, RouterNode } from './match.ts'

interface Leaf<T> {
  readonly value: T
  readonly names: readonly string[]
  readonly end: number
}

/**
 * String keys are the next segments, numeric keys are parameters and wildcards. The root also contains whole static
 * paths, which begin with a slash, unlike any segment.
 */
interface Segment<T> extends RouterNode<Segment<T>> {
  get(next: string | typeof PARAM): Segment<T> | undefined
  get(end: number): Leaf<T> | undefined
  set(key: unknown, found: unknown): unknown
}

const PARAM = 0
const LEAF = 1
/** A bare `/*`: anything, including nothing. */
const ANY = 2
/** `/*name`: at least one character after the slash. */
const REST = 3

/** The captured values. Look-ups are synchronous, so one list serves all. */
const values: string[] = []

/** Static segments before `:name` before `*name`, with backtracking. */
export const createSegmentRouter: CreateRouter = <T>(entries: readonly RouterEntry<T>[], strict?: boolean) => {
  const methods = new Set(entries.map((entry) => entry.method))
  if (methods.has('GET')) methods.add('HEAD')
  const trees = new Map<string, Segment<T>>()
  const treeOf = (method: string): Segment<T> => {
    const tree = segment<T>()
    trees.set(method, tree)
    for (const registered of [method, method === 'HEAD' ? 'GET' : method, '*']) {
      for (const entry of entries)
        if (!method || entry.method === registered) insertEntry(tree, trimSlash(entry.path, strict), entry)
    }
    return tree
  }
  return {
    methods,
    find(method, path) {
      const key = !method || methods.has(method) ? method : '*'
      const tree = trees.get(key) ?? treeOf(key)
      const short = trimSlash(path, strict)
      // Segments are in the same map, and have no slash
      const match = short[0] === '/' && (tree as unknown as Map<string, Match<T>>).get(short)
      if (match) return match
      const leaf = walk(tree, path, 0, short.length, 0)
      return leaf && { value: leaf.value, params: captureParams(leaf, path.includes('%')) }
    },
  }
}

const insertEntry = <T>(tree: Segment<T>, path: string, { value, where }: RouterEntry<T>): void => {
  const names: string[] = []
  let at = tree
  let end = LEAF
  for (const part of path.split('/').slice(1)) {
    const name = part.slice(1)
    if (part[0] === '*') {
      end = name ? REST : ANY
      names.push(name || '*')
    } else if (part[0] === ':') {
      at = addChild(at, PARAM, segment<T>())
      at = where?.[name]?.(at, segment<T>) ?? at
      names.push(name)
    } else at = addChild(at, part, segment<T>())
  }
  if (names[0]) addChild(at, end, { value, names, end })
  else addChild(tree, path, { value })
}

/** A repeated pattern changes nothing: the first wins. */
const addChild = <Found>(at: Segment<unknown>, key: string | number, created: Found): Found => {
  const first = (at.get(key as string) as Found | undefined) ?? created
  at.set(key, first)
  return first
}

const segment = <T>(): Segment<T> => new Map()

const trimSlash = (path: string, strict?: boolean): string =>
  !strict && path.length > 2 && path.endsWith('/') ? path.slice(0, -1) : path

const captureParams = <T>({ names, end }: Leaf<T>, escaped: boolean): Record<string, string> => {
  const params: Record<string, string> = new NullRecord()
  names.forEach((name, index) => {
    const text = values[index]!
    // In a wildcard `%2F` is not decoded, so its segments are those that the client meant
    params[name] = escaped
      ? decodeURIComponent(end !== LEAF && !names[index + 1] ? text.replace(/%(?=2f)/gi, '%25') : text)
      : text
  })
  return params
}

/** Depth first, most specific first. */
const walk = <T>(at: Segment<T>, path: string, index: number, end: number, depth: number): Leaf<T> | undefined => {
  let match: Leaf<T> | undefined
  if (index < end) {
    const slash = path.indexOf('/', index + 1)
    const stop = slash < 0 || slash > end ? end : slash
    const text = path.slice(index + 1, stop)
    const child = at.get(text)
    match = child && walk(child, path, stop, end, depth)
    const param = !match && text && at.get(PARAM)
    if (param) {
      values[depth] = text
      match =
        param.patternBranches?.(text, (node) => walk(node, path, stop, end, depth + 1)) ??
        walk(param, path, stop, end, depth + 1)
    }
  } else match = at.get(LEAF)
  if (match) return match
  const leaf = ((path[index + 1] ?? '/') !== '/' && at.get(REST)) || at.get(ANY)
  if (leaf) values[depth] = path.slice(index + 1)
  return leaf
}
