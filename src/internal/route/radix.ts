import { NullRecord } from '../object/null-record.ts'
import type { CreateRouter, Match, RouterEntry, RouterNode } from './match.ts'

interface Leaf<T> {
  readonly value: T
  readonly names: readonly string[]
  readonly wild: boolean
}

/** A node of the tree. Static text is on the edge to it; children are found by their first character. */
interface Branch<T> extends RouterNode<Branch<T>> {
  text: string
  readonly next: Record<number, Branch<T>>
  param: Branch<T> | undefined
  leaf: Leaf<T> | undefined
  /** `/*name` follows: at least one character after the slash. */
  rest: Leaf<T> | undefined
  /** A bare `/*` follows: anything, including nothing. */
  any: Leaf<T> | undefined
}

/** The routes that one method can reach: whole static paths in a map, patterns in a tree. */
interface Table<T> {
  readonly statics: Map<string, Match<T>>
  readonly tree: Branch<T>
}

const SLASH = 47

/** Start and end of each captured value. Look-ups are synchronous, so one list serves all. */
const spans: number[] = []

/**
 * A radix tree per method: static segments before `:name` before `*name`, with backtracking.
 *
 * The tree of a method is built at its first use. The first registered of equal patterns wins. Within one path the
 * exact method wins over `GET` (for `HEAD`, RFC 9110 §9.3.2), and that over `*`.
 */
export const createRadixRouter: CreateRouter = <T>(entries: readonly RouterEntry<T>[], strict?: boolean) => {
  const methods = new Set(entries.map((entry) => entry.method))
  if (methods.has('GET')) methods.add('HEAD')
  const tables = new Map<string, Table<T>>()
  const tableOf = (wantedMethod: string): Table<T> => {
    const key = !wantedMethod || methods.has(wantedMethod) ? wantedMethod : '*'
    const table: Table<T> = tables.get(key) ?? { statics: new Map(), tree: createBranch('') }
    if (!tables.has(key)) {
      tables.set(key, table)
      for (const wanted of [key, key === 'HEAD' ? 'GET' : key, '*']) {
        for (const entry of entries) if (!key || entry.method === wanted) insertEntry(table, entry, strict)
      }
    }
    return table
  }
  return {
    methods,
    find(method, path) {
      const { statics, tree } = tables.get(method) ?? tableOf(method)
      const { length } = path
      const end = !strict && length > 2 && path.charCodeAt(length - 1) === SLASH ? length - 1 : length
      const match = statics.get(end < length ? path.slice(0, end) : path)
      if (match) return match
      const leaf = walk(tree, path, 0, end, 0)
      return leaf && { value: leaf.value, params: captureParams(leaf, path) }
    },
  }
}

const insertEntry = <T>(
  { statics, tree }: Table<T>,
  { path, value, where }: RouterEntry<T>,
  strict?: boolean,
): void => {
  const pattern = strict ? path : path.replace(/(?<=.)\/$/, '')
  const [head, star] = pattern.split('/*') as [string, string?]
  const wild = star !== undefined
  const names: string[] = []
  const leaf: Leaf<T> = { value, names, wild }
  let at = tree
  // Literals at even indexes, names at odd ones
  const parts = head.split(/(?<=\/):([^/]+)/)
  if (parts.length < 2 && !wild) {
    if (!statics.has(pattern)) statics.set(pattern, { value, params: undefined })
    return
  }
  parts.forEach((part, index) => {
    if (index % 2) {
      names.push(part)
      at = at.param ??= createBranch('')
      at = where?.[part]?.(at, createBranch<T>) ?? at
    } else if (part) at = extend(at, part)
  })
  if (wild) names.push(star || '*')
  at[star ? 'rest' : wild ? 'any' : 'leaf'] ??= leaf
}

const createBranch = <T>(text: string): Branch<T> => ({
  text,
  next: [],
  param: undefined,
  leaf: undefined,
  rest: undefined,
  any: undefined,
})

/** Add static text below a branch. An edge that shares only a prefix with it is split. */
const extend = <T>(from: Branch<T>, text: string): Branch<T> => {
  const first = text.charCodeAt(0)
  let at = from.next[first] ?? createBranch<T>(text)
  let shared = 1
  while (shared < text.length && at.text[shared] === text[shared]) shared++
  if (shared < at.text.length) {
    const lower = at
    at = createBranch(lower.text.slice(0, shared))
    lower.text = lower.text.slice(shared)
    at.next[lower.text.charCodeAt(0)] = lower
  }
  from.next[first] = at
  return shared < text.length ? extend(at, text.slice(shared)) : at
}

/** Depth first, most specific first. A look-up enters each branch at most once, so the size of the tree bounds it. */
const walk = <T>(from: Branch<T>, path: string, start: number, end: number, depth: number): Leaf<T> | undefined => {
  let at = from
  let index = start
  for (;;) {
    const { param, rest, any, leaf } = at
    let slash = SLASH
    if (index < end) {
      slash = path.charCodeAt(index)
      const child = at.next[slash]
      if (child && hasText(child.text, path, index, end)) {
        const childEnd = index + child.text.length
        if (!param && !rest && !any) {
          at = child
          index = childEnd
          continue
        }
        const match = walk(child, path, childEnd, end, depth)
        if (match) return match
      }
      if (param && slash !== SLASH) {
        const next = path.indexOf('/', index)
        const stop = next < 0 || next > end ? end : next
        spans[depth] = index
        spans[depth + 1] = stop
        const match =
          param.patternBranches?.(path.slice(index, stop), (node) => walk(node, path, stop, end, depth + 2)) ||
          (stop === end && param.leaf) ||
          walk(param, path, stop, end, depth + 2)
        if (match) return match
      }
    } else if (leaf) return leaf
    if (slash !== SLASH) return undefined
    spans[depth] = index + 1
    spans[depth + 1] = path.length
    return rest && (path.charCodeAt(index + 1) || SLASH) !== SLASH ? rest : any
  }
}

/** Whether a path continues with a string whose first character is known to match. */
const hasText = (text: string, path: string, index: number, end: number): boolean => {
  let at = text.length
  if (index + at > end) return false
  while (--at) if (text.charCodeAt(at) !== path.charCodeAt(index + at)) return false
  return true
}

/** In a wildcard `%2F` is not decoded, so its segments are those that the client meant. */
const captureParams = <T>({ names, wild }: Leaf<T>, path: string): Record<string, string> => {
  const params: Record<string, string> = new NullRecord()
  const escaped = path.includes('%')
  names.forEach((name, index) => {
    const text = path.slice(spans[index * 2], spans[index * 2 + 1])
    const last = wild && index === names.length - 1
    params[name] = escaped ? decodeURIComponent(last ? text.replace(/%(?=2f)/gi, '%25') : text) : text
  })
  return params
}
