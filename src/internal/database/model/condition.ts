/** A test of a column, as data. Values are checked later, when the column is known. */
export type Test =
  | { readonly is: '=' | '>' | '>=' | '<' | '<='; readonly value: unknown }
  | { readonly is: 'in'; readonly values: unknown }
  | { readonly is: 'like'; readonly pattern: unknown }
  | { readonly is: 'null' }
  | { readonly is: 'not'; readonly part: unknown }
  | { readonly is: 'and' | 'or'; readonly parts: readonly unknown[] }

/**
 * A condition other than "equals this value", created by `isNull`, `isIn`, `gt` and so on. It is recognised by a
 * private field. So a client that sends `{ "token": { "not": "x" } }` has sent a value, and the value is refused.
 */
export class Condition<out V> {
  /** Only for the compiler: the type of the values that are compared. */
  declare readonly '~values'?: V
  readonly #test: Test

  constructor(test: Test) {
    this.#test = test
  }

  /** The test of a condition; undefined for every other value. */
  static testOf(value: unknown): Test | undefined {
    return typeof value === 'object' && value !== null && #test in value ? value.#test : undefined
  }
}
