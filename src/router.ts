import { Bag } from './internal/bag.ts'

/** A method, a pattern as `normalizePattern` gives it, and what is found there. Method `*` is every method. */
export interface RouterEntry<T> {
  readonly method: string
  readonly path: string
  readonly value: T
}

/** What was found. `params` is `undefined` where the pattern has none, so a static hit allocates nothing. */
export interface Match<T> {
  readonly value: T
  readonly params: Record<string, string> | undefined
}

/** Finds what is registered for a method and a path. */
export interface Router<T> {
  /** Methods that have routes of their own; `*` is every other. */
  readonly methods: ReadonlySet<string>
  /** @throws {URIError} when a parameter holds a malformed percent escape. */
  find(method: string, path: string): Match<T> | undefined
}

interface Leaf<T> {
  readonly value: T
  readonly names: readonly string[]
  readonly wild: boolean
}

/** A point in the tree. Static text sits on the edge that leads here; children are found by their first character. */
interface Branch<T> {
  text: string
  readonly next: Record<number, Branch<T>>
  param: Branch<T> | undefined
  /** Ends exactly here. */
  leaf: Leaf<T> | undefined
  /** `*name`: at least one character follows. */
  rest: Leaf<T> | undefined
  /** Bare `*`: anything follows. */
  any: Leaf<T> | undefined
  /** Bare `*` below this path, which matches the path itself as well. */
  self: Leaf<T> | undefined
}

/** The routes that one method can reach: whole static paths in a map, patterns in a tree. */
interface Table<T> {
  readonly statics: Map<string, Match<T>>
  tree: Branch<T> | undefined
}

const SLASH = 47

/** Start and end of each captured value during one lookup; lookups are synchronous, so one list serves all. */
const spans: number[] = []

/**
 * A radix tree per method: static segments before `:name` before `*name`, with backtracking.
 *
 * A table is built when its method is first asked for. Among equal patterns the first registered wins; within one path the exact method
 * wins over `GET` (for `HEAD`, RFC 9110 §9.3.2) and that over `*`.
 *
 * @param strict when true a trailing slash is significant in patterns and paths
 * @example
 * const { find } = createRouter([{ method: 'GET', path: '/users/:id', value: 1 }])
 * find('GET', '/users/7') // { value: 1, params: { id: '7' } }
 */
export const createRouter = <T>(entries: readonly RouterEntry<T>[], strict = false): Router<T> => {
  const methods = new Set(entries.map((entry) => entry.method))
  if (methods.has('GET')) methods.add('HEAD')
  const tables = new Map<string, Table<T>>()
  const find: Router<T>['find'] = (method, path) => {
    const key = methods.has(method) ? method : '*'
    let table = tables.get(key)
    if (!table) {
      table = createTable(entries, key, strict)
      tables.set(key, table)
    }
    const end = strict || path.length < 2 || path.charCodeAt(path.length - 1) !== SLASH ? path.length : path.length - 1
    const match = table.statics.get(end === path.length ? path : path.slice(0, end))
    if (match || !table.tree) return match
    const leaf = walk(table.tree, path, 0, end, 0)
    return leaf && { value: leaf.value, params: capture(leaf, path) }
  }
  return { methods, find }
}

const createTable = <T>(entries: readonly RouterEntry<T>[], method: string, strict: boolean): Table<T> => {
  const table: Table<T> = { statics: new Map(), tree: undefined }
  for (const wanted of new Set([method, method === 'HEAD' ? 'GET' : method, '*'])) {
    for (const entry of entries) if (entry.method === wanted) insert(table, entry, strict)
  }
  return table
}

const insert = <T>(table: Table<T>, { path, value }: RouterEntry<T>, strict: boolean): void => {
  const pattern = strict || path.length < 2 || !path.endsWith('/') ? path : path.slice(0, -1)
  const names = Array.from(pattern.matchAll(PLACEHOLDER), ([, name]) => name || '*')
  if (!names.length) {
    if (!table.statics.has(pattern)) table.statics.set(pattern, { value, params: undefined })
    return
  }
  table.tree ??= branch('')
  const wildcard = /\/\*([^/]*)$/.exec(pattern)
  const leaf: Leaf<T> = { value, names, wild: wildcard !== null }
  const at = place(table.tree, wildcard ? pattern.slice(0, wildcard.index + 1) : pattern)
  if (!wildcard) at.leaf ??= leaf
  else if (wildcard[1]) at.rest ??= leaf
  else {
    at.any ??= leaf
    place(table.tree, pattern.slice(0, wildcard.index)).self ??= leaf
  }
}

/** A segment that captures: `:name`, `*name` or `*`. */
const PLACEHOLDER = /(?<=\/)[:*]([^/]*)/g

const branch = <T>(text: string): Branch<T> => ({
  text,
  next: [],
  param: undefined,
  leaf: undefined,
  rest: undefined,
  any: undefined,
  self: undefined,
})

/** The branch where a pattern without wildcard ends; made where it is missing. */
const place = <T>(root: Branch<T>, pattern: string): Branch<T> => {
  let at = root
  for (const part of pattern.split(/(?<=\/)(:)[^/]*/)) {
    if (part === ':') {
      at.param ??= branch('')
      at = at.param
    } else if (part) at = extend(at, part)
  }
  return at
}

/** Follow static text below a branch, splitting the edges that share only a beginning with it. */
const extend = <T>(from: Branch<T>, text: string): Branch<T> => {
  const first = text.charCodeAt(0)
  const child = from.next[first]
  if (!child) {
    const made = branch<T>(text)
    from.next[first] = made
    return made
  }
  let shared = 1
  while (shared < child.text.length && child.text[shared] === text[shared]) shared++
  let at = child
  if (shared < child.text.length) {
    at = branch(child.text.slice(0, shared))
    child.text = child.text.slice(shared)
    at.next[child.text.charCodeAt(0)] = child
    from.next[first] = at
  }
  return shared === text.length ? at : extend(at, text.slice(shared))
}

/** Depth first, most specific first. Every branch is entered at most once a lookup, so the tree bounds the work. */
const walk = <T>(at: Branch<T>, path: string, index: number, end: number, depth: number): Leaf<T> | undefined => {
  if (index === end) {
    spans[depth] = index
    spans[depth + 1] = at.self ? index : path.length
    return at.leaf ?? at.self ?? at.any
  }
  const child = at.next[path.charCodeAt(index)]
  if (child) {
    const { text } = child
    const after = index + text.length
    if (after <= end && path.startsWith(text, index)) {
      const found = walk(child, path, after, end, depth)
      if (found) return found
    }
  }
  if (at.param) {
    const slash = path.indexOf('/', index)
    const stop = slash < 0 || slash > end ? end : slash
    if (stop > index) {
      const found = walk(at.param, path, stop, end, depth + 2)
      if (found) {
        spans[depth] = index
        spans[depth + 1] = stop
        return found
      }
    }
  }
  const wildcard = at.rest && path.charCodeAt(index) !== SLASH ? at.rest : at.any
  if (wildcard) {
    spans[depth] = index
    spans[depth + 1] = path.length
  }
  return wildcard
}

/** Name the captured spans. In a wildcard `%2F` stays as it is, so its segments are those that the sender meant. */
const capture = <T>({ names, wild }: Leaf<T>, path: string): Record<string, string> => {
  const params: Record<string, string> = new Bag()
  const escaped = path.includes('%')
  for (let index = 0; index < names.length; index++) {
    const text = path.slice(spans[index * 2], spans[index * 2 + 1])
    const last = wild && index === names.length - 1
    params[names[index]!] = escaped ? decodeURIComponent(last ? text.replace(/%(?=2f)/gi, '%25') : text) : text
  }
  return params
}
