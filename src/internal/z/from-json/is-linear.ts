// Beside `internal/route/linear.ts`, which proves less in a quarter of the bytes: patterns of routes have no groups.
import { type Repeated, type Tree, treeOf } from './pattern-tree.ts'
import { areDisjoint, type Ranges } from './ranges.ts'

/** More characters than these, each repetition written out, are not looked at; without `^` a tenth of them. */
const MOST_POSITIONS = 1000

/** So many ways through a pattern without loops are tried at most. */
const MOST_WAYS = 100

/**
 * So many steps are taken at each character of a text by a pattern that is tried at each: the ways, times their length.
 */
const MOST_TRIED = 500

/** So many steps the proof itself may take. */
const MOST_STEPS = 20_000

/**
 * Whether it is proved that the time of a match grows with the length of the text, and not faster.
 *
 * There are two proofs. A pattern without `*`, `+` and `{n,}` that has few ways through it. And a pattern in which the
 * next character always decides how to go on: no two ways are ever open, so a search never goes back over what it has
 * read. With loops it must also begin with `^`, since it would else be tried again from every character.
 */
export const isLinear = (source: string): boolean => {
  const tree = treeOf(source)
  if (!tree) return false
  const anchored = isAnchored(tree)
  const most = anchored ? MOST_POSITIONS : MOST_POSITIONS / 10
  const length = lengthOf(tree)
  const ways = waysOf(tree)
  if (length <= most && ways <= MOST_WAYS && (anchored || ways * length <= MOST_TRIED)) return true
  return (anchored || length <= most) && isDecided(tree, most)
}

/** The characters of the longest match; `^` and the like count too, since a repetition asks them each time. */
const lengthOf = (tree: Tree): number => {
  if ('any' in tree) return Math.max(...tree.any.map(lengthOf))
  if ('all' in tree) return tree.all.reduce((sum, part) => sum + lengthOf(part), 0) || 1
  return 'inner' in tree ? (tree.most && lengthOf(tree.inner) * tree.most) || 0 : 1
}

const waysOf = (tree: Tree): number => {
  if ('any' in tree) return tree.any.reduce((sum, option) => sum + waysOf(option), 0)
  if ('all' in tree) return tree.all.reduce((product, part) => product * waysOf(part), 1)
  if (!('inner' in tree)) return 1
  return waysOf(tree.inner) ** tree.most * (tree.most - tree.least + 1)
}

/** Does every match begin at the start of the text. */
const isAnchored = (tree: Tree): boolean =>
  'any' in tree
    ? tree.any.every(isAnchored)
    : 'all' in tree && (tree.start || (!!tree.all[0] && isAnchored(tree.all[0])))

/** A part of the pattern: can it be empty, and which of its characters can come first and last. */
interface Part {
  readonly empty: boolean
  readonly first: readonly number[]
  readonly last: readonly number[]
}

const NOTHING: Part = { empty: true, first: [], last: [] }

/** Thrown out of the reading of a pattern in which two ways are open. */
const OPEN: unique symbol = /* @__PURE__ */ Symbol('open')

/** The automaton of Glushkov: each character of the pattern, and those that can follow it. */
const isDecided = (tree: Tree, most: number): boolean => {
  const sets: Ranges[] = []
  const following: Set<number>[] = []
  let steps = 0
  const step = (count: number): void => {
    steps += count
    if (steps > MOST_STEPS) throw OPEN
  }

  const link = (from: readonly number[], to: readonly number[]): void => {
    for (const one of from)
      for (const next of to) {
        // The same step twice: two loops around it, as in (a+)+
        if (following[one]!.has(next)) throw OPEN
        step(sets[next]!.length)
        following[one]!.add(next)
      }
  }

  const join = (a: Part, b: Part): Part => {
    link(a.last, b.first)
    return {
      empty: a.empty && b.empty,
      first: a.empty ? [...a.first, ...b.first] : a.first,
      last: b.empty ? [...a.last, ...b.last] : b.last,
    }
  }

  const repeat = ({ inner, least, most }: Repeated): Part => {
    const endless = most === Number.POSITIVE_INFINITY
    const copy = (loops = false): Part => {
      const part = read(inner)
      // Nothing, once or twice, is nothing: two ways
      if (part.empty) throw OPEN
      if (loops) link(part.last, part.first)
      return part
    }
    if (endless && !least) return { ...copy(true), empty: true }
    let whole = NOTHING
    for (let count = 1; count <= least; count++) whole = join(whole, copy(endless && count === least))
    if (endless) return whole
    // (X(X)?)?: each further one only after the one before
    const more: Part[] = []
    for (let count = least; count < most; count++) more.push(copy())
    return join(
      whole,
      more.reduceRight((rest, part) => ({ ...join(part, rest), empty: true }), NOTHING),
    )
  }

  const read = (tree: Tree): Part => {
    step(1)
    if ('set' in tree) {
      const position = sets.push(tree.set) - 1
      if (position >= most) throw OPEN
      following.push(new Set())
      return { empty: false, first: [position], last: [position] }
    }
    if ('all' in tree) return tree.all.map(read).reduce(join, NOTHING)
    if ('inner' in tree) return repeat(tree)
    const options = tree.any.map(read)
    if (options.filter(({ empty }) => empty).length > 1) throw OPEN
    return {
      empty: options.some(({ empty }) => empty),
      first: options.flatMap(({ first }) => first),
      last: options.flatMap(({ last }) => last),
    }
  }

  try {
    const { first } = read(tree)
    return [first, ...following].every((next) => areDisjoint([...next].map((position) => sets[position]!)))
  } catch (error) {
    if (error === OPEN) return false
    throw error
  }
}
