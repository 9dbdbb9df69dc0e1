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
  const tableOf = (method: string): Table<T> => {
    const key = methods.has(method) ? method : '*'
    const table = tables.get(key) ?? createTable(entries, key, strict)
    tables.set(key, table)
    return table
  }
  const find: Router<T>['find'] = (method, path) => {
    const { statics, tree } = tables.get(method) ?? tableOf(method)
    const last = path.length - 1
    const end = strict || last < 2 || path.charCodeAt(last) !== SLASH ? last + 1 : last
    const match = statics.get(end > last ? path : path.slice(0, end))
    if (match || !tree) return match
    const leaf = walk(tree, path, 0, end, 0)
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
  const star = pattern.lastIndexOf('/*')
  if (star < 0 && !pattern.includes('/:')) {
    if (!table.statics.has(pattern)) table.statics.set(pattern, { value, params: undefined })
    return
  }
  table.tree ??= branch('')
  const names: string[] = []
  const leaf: Leaf<T> = { value, names, wild: star >= 0 }
  const at = place(table.tree, star < 0 ? pattern : pattern.slice(0, star + 1), names)
  if (star < 0) at.leaf ??= leaf
  else if (pattern.length > star + 2) {
    names.push(pattern.slice(star + 2))
    at.rest ??= leaf
  } else {
    names.push('*')
    at.any ??= leaf
    place(table.tree, pattern.slice(0, star), []).self ??= leaf
  }
}

const branch = <T>(text: string): Branch<T> => ({
  text,
  next: [],
  param: undefined,
  leaf: undefined,
  rest: undefined,
  any: undefined,
  self: undefined,
})

/** The branch where a pattern without wildcard ends, made where it is missing; its parameters are added to the names. */
const place = <T>(root: Branch<T>, pattern: string, names: string[]): Branch<T> => {
  let at = root
  let from = 0
  for (let colon = pattern.indexOf('/:'); colon >= 0; colon = pattern.indexOf('/:', from)) {
    const slash = pattern.indexOf('/', colon + 1)
    const stop = slash < 0 ? pattern.length : slash
    names.push(pattern.slice(colon + 2, stop))
    at = extend(at, pattern.slice(from, colon + 1))
    at.param ??= branch('')
    at = at.param
    from = stop
  }
  return from < pattern.length ? extend(at, pattern.slice(from)) : at
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
const walk = <T>(from: Branch<T>, path: string, start: number, end: number, depth: number): Leaf<T> | undefined => {
  let at = from
  let index = start
  for (;;) {
    if (index === end) {
      spans[depth] = index
      spans[depth + 1] = at.self ? index : path.length
      return at.leaf ?? at.self ?? at.any
    }
    const { param, rest, any } = at
    const child = at.next[path.charCodeAt(index)]
    if (child && hasText(child.text, path, index, end)) {
      const after = index + child.text.length
      if (!param && !rest && !any) {
        at = child
        index = after
        continue
      }
      const found = walk(child, path, after, end, depth)
      if (found) return found
    }
    if (param && path.charCodeAt(index) !== SLASH) {
      const slash = path.indexOf('/', index)
      const stop = slash < 0 || slash > end ? end : slash
      spans[depth] = index
      spans[depth + 1] = stop
      const leaf = stop === end && param.leaf
      const found = leaf || walk(param, path, stop, end, depth + 2)
      if (found) return found
    }
    spans[depth] = index
    spans[depth + 1] = path.length
    return rest && path.charCodeAt(index) !== SLASH ? rest : any
  }
}

/** Whether a path goes on with a text, whose first character is known to fit. */
const hasText = (text: string, path: string, index: number, end: number): boolean => {
  const { length } = text
  if (index + length > end) return false
  for (let at = 1; at < length; at++) if (text.charCodeAt(at) !== path.charCodeAt(index + at)) return false
  return true
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
