import { expect, Snapshots } from 'vitest'

/** Codes of zod 4 and what zod 3 calls them. */
const CODES: { readonly [zod4: string]: readonly string[] | undefined } = {
  invalid_value: ['invalid_literal', 'invalid_enum_value', 'invalid_type'],
  invalid_format: ['invalid_string', 'custom'],
  invalid_union: ['invalid_union', 'invalid_union_discriminator'],
  invalid_type: ['invalid_type', 'invalid_date', 'not_finite', 'custom'],
}

interface Finding {
  readonly code: string
  readonly path: string
}

/** The issues in a value that a test compares with a snapshot. */
const issuesIn = (value: unknown): readonly Finding[] | undefined => {
  if (typeof value !== 'object' || value === null) return undefined
  if ('issues' in value) return issuesIn(value.issues)
  if ('error' in value) return issuesIn(value.error)
  if (!Array.isArray(value) || !value.length) return undefined
  if (!value.every((one) => one?.code && one.path && one.message)) return undefined
  return value.map(({ code, path }) => ({ code, path: path.map(String).join() }))
}

/** The outermost issues in the text of a snapshot of zod 4. */
const issuesOf = (text: string): readonly Finding[] => {
  const lines = text.split('\n')
  const indents = lines.flatMap((line) => /^( *)"path":/.exec(line)?.[1]?.length ?? [])
  const indent = ' '.repeat(Math.min(...indents))
  const codes = lines.flatMap((line) => (line.startsWith(`${indent}"code": `) ? /: "(\w+)"/.exec(line)![1]! : []))
  const paths = text.matchAll(new RegExp(`^${indent}"path": \\[([^\\]]*)\\]`, 'gm'))
  return Array.from(paths, ([, keys], index) => ({
    code: codes[index]!,
    path: keys!
      .split(',')
      .map((key) => key.trim().replace(/^"|"$/g, ''))
      .filter((key, at, all) => key || at < all.length - 1)
      .join(),
  }))
}

/**
 * A snapshot of issues is compared by what both versions agree about: how many issues there are, where, and of which kind in the
 * words of zod 3. `undefined` for any other snapshot, which is compared as it is.
 */
const compare = (value: unknown, text: unknown): { pass: boolean; message: () => string } | undefined => {
  const mine = issuesIn(value)
  if (!mine || typeof text !== 'string' || !/"path": /.test(text)) return undefined
  const theirs = issuesOf(text).map(({ code, path }, index) => {
    const own = mine[index]?.code
    return { code: own !== undefined && CODES[code]?.includes(own) ? own : code, path }
  })
  const [found, wanted] = [JSON.stringify(mine), JSON.stringify(theirs)]
  return { pass: found === wanted, message: () => `issues: expected ${wanted}, got ${found}` }
}

const thrownBy = (value: unknown): unknown => {
  if (typeof value !== 'function') return value
  try {
    value()
  } catch (error) {
    return error
  }
  return undefined
}

expect.extend({
  toMatchInlineSnapshot(value: unknown, ...args: unknown[]) {
    const text = args.find((one) => typeof one === 'string')
    return compare(value, text) ?? Snapshots.toMatchInlineSnapshot.call(this, value, ...(args as [string]))
  },
  toThrowErrorMatchingInlineSnapshot(value: unknown, text: unknown) {
    const thrown = thrownBy(value)
    return compare(thrown, text) ?? Snapshots.toMatchInlineSnapshot.call(this, thrown, text as string)
  },
})
