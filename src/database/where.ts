import { Condition } from '../internal/database/model/condition.ts'

export type { Condition } from '../internal/database/model/condition.ts'

/** What a column can be compared with. */
export type Scalar = string | number | bigint | boolean | Date | Uint8Array

/**
 * Matches rows in which the column is null.
 *
 * @example
 * await Post.findMany({ where: { publishedAt: isNull } })
 */
export const isNull: Condition<never> = /* @__PURE__ */ new Condition({ is: 'null' })

/**
 * Matches rows in which the column equals one of the values. An empty list matches no row.
 *
 * @example
 * await Post.findMany({ where: { id: isIn([1, 2, 3]) } })
 */
export const isIn = <const V extends Scalar>(values: readonly V[]): Condition<V> => new Condition({ is: 'in', values })

/** Matches rows in which the column is greater than the value. */
export const gt = <const V extends Scalar>(value: V): Condition<V> => new Condition({ is: '>', value })

/** Matches rows in which the column is greater than the value, or equal to it. */
export const gte = <const V extends Scalar>(value: V): Condition<V> => new Condition({ is: '>=', value })

/** Matches rows in which the column is less than the value. */
export const lt = <const V extends Scalar>(value: V): Condition<V> => new Condition({ is: '<', value })

/** Matches rows in which the column is less than the value, or equal to it. */
export const lte = <const V extends Scalar>(value: V): Condition<V> => new Condition({ is: '<=', value })

/**
 * Matches a string by a pattern: `%` is any text, `_` is any character, and a backslash escapes the next character.
 * Whether it is case-sensitive depends on the database and the collation of the column.
 *
 * @example
 * await Post.findMany({ where: { title: like(`${escapeLike(ctx.query.get('q') ?? '')}%`) } })
 */
export const like = (pattern: string): Condition<string> => new Condition({ is: 'like', pattern })

/**
 * Escape a string for a pattern of {@link like}, so that it matches only itself.
 *
 * @example
 * escapeLike('100 %') // '100 \\%'
 */
export const escapeLike = (text: string): string => text.replace(/[\\%_]/g, '\\$&')

/**
 * Matches rows that the value or the condition does not match. As always in SQL, a row in which the column is null
 * matches neither `'draft'` nor `not('draft')`; use `anyOf(isNull, not('draft'))` to include it.
 *
 * @example
 * await Post.findMany({ where: { state: not('draft'), publishedAt: not(isNull) } })
 */
export const not = <const V extends Scalar = never>(part: V | Condition<V>): Condition<V> =>
  new Condition<V>({ is: 'not', part })

/**
 * Matches rows that all the conditions match.
 *
 * @example
 * await User.findMany({ where: { age: allOf(gte(18), lt(65)) } })
 */
export const allOf = <const V extends Scalar = never>(...parts: readonly (V | Condition<V>)[]): Condition<V> =>
  combine('and', parts)

/**
 * Matches rows that at least one of the values or conditions matches.
 *
 * @example
 * await Token.findMany({ where: { expiresAt: anyOf(isNull, gt(new Date())) } })
 */
export const anyOf = <const V extends Scalar = never>(...parts: readonly (V | Condition<V>)[]): Condition<V> =>
  combine('or', parts)

const combine = <V>(is: 'and' | 'or', parts: readonly unknown[]): Condition<V> => {
  if (parts.length === 0)
    throw new TypeError(`${is === 'and' ? 'allOf' : 'anyOf'}: expected at least one condition, got none`)
  return new Condition({ is, parts })
}
