import type { AnyCore, Meta } from '../internal/z/definition.ts'
import { metaOf } from '../internal/z/meta.ts'

/**
 * A registry of facts about schemas, stored outside of them. Keeps no schema alive.
 *
 * @example
 * const titles = registry<{ title: string }>()
 * titles.add(User, { title: 'A user' }).get(User)?.title // 'A user'
 */
export class Registry<Known> {
  #known: WeakMap<AnyCore, Known | undefined> = new WeakMap()
  readonly #other: ((schema: AnyCore) => Known | undefined) | undefined

  /** Facts of a schema that is not in this registry come from `other`. */
  constructor(other?: (schema: AnyCore) => Known | undefined) {
    this.#other = other
  }

  /** Add a schema, with facts about it or without; replaces earlier facts. */
  add(schema: AnyCore, meta?: Known): this {
    this.#known.set(schema, meta)
    return this
  }

  /** The facts that were added about a schema. */
  get(schema: AnyCore): Known | undefined {
    return this.#known.get(schema) ?? this.#other?.(schema)
  }

  /** Whether a schema was added here, or has facts elsewhere. */
  has(schema: AnyCore): boolean {
    return this.#known.has(schema) || this.get(schema) !== undefined
  }

  /** Remove a schema and its facts. */
  remove(schema: AnyCore): this {
    this.#known.delete(schema)
    return this
  }

  /** Remove all schemas. */
  clear(): this {
    this.#known = new WeakMap()
    return this
  }
}

/**
 * Create a registry for facts about schemas: titles, examples, places in a form.
 *
 * @example
 * registry<{ title: string }>().has(string()) // false
 */
export const registry = <Known = { readonly [key: string]: unknown }>(): Registry<Known> => new Registry<Known>()

/**
 * The registry of the whole process, for tools that look for it. It also has the facts of `schema.meta(…)`.
 *
 * @example
 * globalRegistry.get(string().meta({ title: 'Name' }))?.title // 'Name'
 */
export const globalRegistry: Registry<Meta> = /* @__PURE__ */ new Registry<Meta>(({ def }) => metaOf(def))
