import { type Issue, withoutStack } from '../../validation-error.ts'
import { runOf } from '../core.ts'
import type { AnyCore, Checked, Definition, Make, Run, Use } from '../definition.ts'
import type { Params } from '../issue.ts'
import { askChecks } from '../list-checks.ts'
import { put, type Rest } from '../object-run.ts'
import type { ObjectDefinition } from '../object-types.ts'
import { INVALID, MOST_ISSUES, report, under, wrongType } from '../report.ts'
import { canonical } from './canonical.ts'

/** Does a schema accept a value; nobody hears why not. */
export const accepts = (schema: AnyCore, value: unknown): boolean => {
  const issues: Issue[] = []
  const run: Run = runOf(schema)
  return run(value, issues) !== INVALID && !issues.length
}

/** Marks a definition whose kind has a run of this module in place of its own, for `sluice compile`. */
export const RUNS = 'fromJsonSchema'

/** `oneOf`: one option accepts the value, and no other. Each is asked once. */
export const makeExactlyOne: Make = ({ options, params }: { options: readonly AnyCore[]; params?: Params }, use) => {
  const runs: readonly Run[] = options.map(use)
  return (value, issues) => {
    const found = runs.map((run) => {
      const own: Issue[] = []
      return { out: run(value, own), own }
    })
    const fits = found.filter(({ out, own }) => out !== INVALID && !own.length)
    if (fits.length === 1) return fits[0]!.out
    if (fits.length) return report(issues, value, { code: 'custom' }, `Exactly one option must fit, ${fits.length} do`)
    const unionErrors = found.map(({ own }) => withoutStack(own))
    return report(issues, value, { code: 'invalid_union', unionErrors }, 'Invalid input', params)
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
  return !texts.includes(undefined) && new Set(texts).size === items.length
}
