import { derive } from '../internal/z/core.ts'
import { type AnyCore, type Meta, metaOf } from '../internal/z/definition.ts'

/**
 * A registry of facts about schemas, stored outside of them. Keeps no schema alive.
 *
 * @example
 * const titles = registry<{ title: string }>()
 * titles.add(User, { title: 'A user' }).get(User)?.title // 'A user'
 */
export class Registry<Facts> {
  #facts: WeakMap<AnyCore, Facts | undefined> = new WeakMap()
  readonly #fallback: ((schema: AnyCore) => Facts | undefined) | undefined

  /** Facts of a schema that is not in this registry come from `fallback`. */
  constructor(fallback?: (schema: AnyCore) => Facts | undefined) {
    this.#fallback = fallback
  }

  /** Add a schema, with facts about it or without; replaces earlier facts. */
  add(schema: AnyCore, meta?: Facts): this {
    this.#facts.set(schema, meta)
    return this
  }

  /** The facts that were added about a schema. */
  get(schema: AnyCore): Facts | undefined {
    return this.#facts.get(schema) ?? this.#fallback?.(schema)
  }

  /** Whether a schema was added here, or has facts elsewhere. */
  has(schema: AnyCore): boolean {
    return this.#facts.has(schema) || this.get(schema) !== undefined
  }

  /** Remove a schema and its facts. */
  remove(schema: AnyCore): this {
    this.#facts.delete(schema)
    return this
  }

  /** Remove all schemas. */
  clear(): this {
    this.#facts = new WeakMap()
    return this
  }
}

/**
 * Create a registry for facts about schemas: titles, examples, places in a form.
 *
 * @example
 * registry<{ title: string }>().has(string()) // false
 */
export const registry = <Facts = { readonly [key: string]: unknown }>(): Registry<Facts> => new Registry<Facts>()

/**
 * The registry of the whole process, for tools that look for it. It also has the facts of `schema.meta(…)`.
 *
 * @example
 * globalRegistry.get(string().meta({ title: 'Name' }))?.title // 'Name'
 */
export const globalRegistry: Registry<Meta> = /* @__PURE__ */ new Registry<Meta>(({ def }) => metaOf(def))

/**
 * The same schema with a title, examples or other facts for its readers, added to those that it has. JSON
 * Schema repeats them.
 *
 * @example
 * toJsonSchema(meta(string(), { title: 'Name' })) // { type: 'string', title: 'Name', … }
 */
export const meta = <T extends AnyCore>(schema: T, facts: Meta): T => {
  const merged = { ...metaOf(schema.def), ...facts }
  return derive(schema, { ...schema.def, meta: merged, description: merged.description })
}
