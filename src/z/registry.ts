import type { AnyCore } from '../internal/z/definition.ts'

/**
 * What is known about schemas, kept beside them. Holds no schema alive.
 *
 * @example
 * const titles = registry<{ title: string }>()
 * titles.add(User, { title: 'A user' }).get(User)?.title // 'A user'
 */
export class Registry<Meta> {
  #known: WeakMap<AnyCore, Meta> = new WeakMap()

  /** Note what is known about a schema; replaces what was known. */
  add(schema: AnyCore, meta: Meta): this {
    this.#known.set(schema, meta)
    return this
  }

  /** What is known about a schema. */
  get(schema: AnyCore): Meta | undefined {
    return this.#known.get(schema)
  }

  /** Is anything known about a schema. */
  has(schema: AnyCore): boolean {
    return this.#known.has(schema)
  }

  /** Forget what is known about a schema. */
  remove(schema: AnyCore): this {
    this.#known.delete(schema)
    return this
  }

  /** Forget everything. */
  clear(): this {
    this.#known = new WeakMap()
    return this
  }
}

/**
 * Somewhere to keep what is known about schemas: titles, examples, places in a form.
 *
 * @example
 * registry<{ title: string }>().has(string()) // false
 */
export const registry = <Meta = { readonly [key: string]: unknown }>(): Registry<Meta> => new Registry<Meta>()
