import { type Issue, withoutStack } from '../../validation-error.ts'
import { runOf } from '../core.ts'
import type { AnyCore, Checked, Definition, Make, Run, Use } from '../definition.ts'
import type { Params } from '../issue.ts'
import { askChecks } from '../list-checks.ts'
import { type Keyed, put, type Rest } from '../object-run.ts'
import type { ObjectDefinition } from '../object-types.ts'
import { INVALID, MOST_ISSUES, report, under, wrongType } from '../report.ts'
import { type Fallback, valueOf } from '../wrap-runs.ts'
import { canonical } from './canonical.ts'
import { DEEP, tooDeep } from './reference.ts'

/** Does a schema accept a value; nobody hears why not. `undefined` for a value that is nested too deeply to know. */
export const accepts = (schema: AnyCore, value: unknown): boolean | undefined => {
  const { count } = tooDeep
  const issues: Issue[] = []
  const run: Run = runOf(schema)
  const fits = run(value, issues) !== INVALID && !issues.length
  return tooDeep.count > count ? undefined : fits
}

/** Marks a definition whose kind has a run of this module in place of its own, for `sluice compile`. */
export const RUNS = 'fromJsonSchema'

/** `oneOf`: one option accepts the value, and no other. Each is asked once. */
export const makeExactlyOne: Make = ({ options, params }: { options: readonly AnyCore[]; params?: Params }, use) => {
  const runs: readonly Run[] = options.map(use)
  return (value, issues) => {
    const { count } = tooDeep
    const found = runs.map((run) => {
      const own: Issue[] = []
      return { out: run(value, own), own }
    })
    if (tooDeep.count > count || found.some(({ own }) => own.some(({ message }) => message === DEEP)))
      return report(issues, value, { code: 'custom' }, DEEP)
    const fits = found.filter(({ out, own }) => out !== INVALID && !own.length)
    if (fits.length === 1) return fits[0]!.out
    if (fits.length) return report(issues, value, { code: 'custom' }, `Exactly one option must fit, ${fits.length} do`)
    const unionErrors = found.map(({ own }) => withoutStack(own))
    return report(issues, value, { code: 'invalid_union', unionErrors }, 'Invalid input', params)
  }
}

/**
 * `allOf`: both sides accept the value. What comes out is the value with the defaults of both, and only what a side has
 * changed is looked at, so a side that keeps what it got costs nothing at any depth.
 */
export const makeBoth: Make = ({ left, right }: { left: AnyCore; right: AnyCore }, use) => {
  const first: Run = use(left)
  const second: Run = use(right)
  return (value, issues) => {
    const a = first(value, issues)
    const b = second(value, issues)
    return a === INVALID || b === INVALID ? INVALID : joined(value, a, b)
  }
}

/** What two schemas made of one value. */
const joined = (value: unknown, a: unknown, b: unknown): unknown => {
  if (a === b || b === value || !isKeyed(a) || !isKeyed(b)) return a === value ? b : a
  if (a === value) return b
  const from = isKeyed(value) ? value : {}
  const out: Keyed = Array.isArray(a) ? ([] as never) : {}
  for (const key of Object.keys({ ...a, ...b })) {
    if (key === '__proto__') continue
    const [one, other] = [a, b].map((side) => (Object.hasOwn(side, key) ? side[key] : undefined))
    out[key] = one === undefined ? other : other === undefined ? one : joined(from[key], one, other)
  }
  return out
}

const isKeyed = (value: unknown): value is Keyed => typeof value === 'object' && value !== null

/** The defaults that are being filled in, and how many were inside of the outermost one. */
const filling: Set<object> = /* @__PURE__ */ new Set()
let filled = 0

/** So many defaults are filled in inside of another one: a document could have each of them ask for two. */
const MOST_FILLED = 1000

/**
 * A value in the place of one that is missing, if it fits: what does not fit only tells something. No default is filled
 * in inside of itself.
 */
export const makeFilled: Make = (def: Fallback, use, call) => {
  const run: Run = use(def.inner)
  const ask = valueOf(def, call)
  return (value, issues) => {
    if (value !== undefined) return run(value, issues)
    if (filling.has(def) || filled >= MOST_FILLED) return undefined
    filling.add(def)
    filled++
    try {
      const own: Issue[] = []
      // Not `run`, which an asynchronous parse calls later
      const out = runOf(def.inner)(ask(), own)
      return out === INVALID || own.length ? undefined : out
    } finally {
      filling.delete(def)
      if (!filling.size) filled = 0
    }
  }
}

/** A key that is required is there, even if every value would do. */
export const makePresent: Make = ({ inner }: { inner: AnyCore }, use) => {
  const run: Run = use(inner)
  return (value, issues) => (value === undefined ? wrongType(issues, value, 'value') : run(value, issues))
}

/** A list whose first items have schemas of their own, as many of them as it has. */
export interface ListDefinition extends Checked {
  readonly first: readonly AnyCore[]
  readonly rest: AnyCore
}

export const makeList: Make = ({ first, rest, checks }: ListDefinition, use) => {
  const runs: readonly Run[] = first.map(use)
  const restRun: Run = use(rest)
  return (input, issues) => {
    if (!Array.isArray(input)) return wrongType(issues, input, 'array')
    askChecks(checks, input, issues)
    const output: unknown[] = []
    let valid = true
    for (let index = 0; index < input.length; index++) {
      const start = issues.length
      const out = (runs[index] ?? restRun)(input[index], issues)
      under(issues, start, index)
      if (out === INVALID) valid = false
      else output.push(out)
      if (issues.length >= MOST_ISSUES) return INVALID
    }
    return valid ? output : INVALID
  }
}

/** What JSON Schema says about the keys of an object that `properties` does not name. */
export interface KeysDefinition extends ObjectDefinition {
  readonly patterns: readonly (readonly [RegExp, AnyCore])[]
  readonly names: AnyCore | undefined
  readonly required: readonly string[]
}

export const makeKeys = (def: KeysDefinition & Definition, use: Use): Rest => {
  const { shape, patterns, names, required, catchall, unknownKeys } = def
  const runs = patterns.map(([pattern, schema]) => [pattern, use(schema) as Run] as const)
  const namesRun: Run | undefined = names && use(names)
  const further: Run = catchall ? use(catchall) : (value) => value
  return (input, output, issues) => {
    const strange: string[] = []
    let valid = true
    for (const key of Object.keys(input)) {
      const start = issues.length
      if (namesRun?.(key, issues) === INVALID) valid = false
      if (issues.length > start) under(issues, start, key)
      if (Object.hasOwn(shape, key)) continue
      const own = runs.filter(([pattern]) => pattern.test(key))
      if (!own.length && unknownKeys === 'strict') strange.push(key)
      for (const [, run] of own.length ? own : [[undefined, further] as const])
        valid = put(key, run, input[key], input, output, issues) && valid
      if (issues.length >= MOST_ISSUES) return false
    }
    if (strange.length) {
      const text = `Unrecognized key(s) in object: ${strange.map((key) => `'${key}'`).join(', ')}`
      report(issues, input, { code: 'unrecognized_keys', keys: strange }, text)
    }
    for (const key of required)
      if (!Object.hasOwn(input, key) || input[key] === undefined) {
        const start = issues.length
        wrongType(issues, undefined, 'value')
        under(issues, start, key)
        valid = false
      }
    return valid
  }
}

/** Does no item stand twice in a list. */
export const isUnique = (items: readonly unknown[]): boolean => {
  const texts = items.map(canonical)
  if (!texts.includes(undefined)) return new Set(texts).size === items.length
  tooDeep.count++
  return false
}
