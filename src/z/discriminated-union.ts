import type { AnyCore, Definition, Run, RunOf } from '../internal/z/definition.ts'
import { list } from '../internal/z/enum-run.ts'
import type { Params } from '../internal/z/issue.ts'
import { isObject } from '../internal/z/object-run.ts'
import { report, wrongType } from '../internal/z/report.ts'
import { Schema } from '../internal/z/schema.ts'
import type { Shape } from '../internal/z/types.ts'

interface UnionDefinition extends Definition {
  readonly discriminator: string
  readonly options: readonly AnyCore[]
  readonly optionsMap: ReadonlyMap<unknown, AnyCore>
}

/** The schema that `discriminatedUnion()` returns. */
export class DiscriminatedUnionSchema<out Key extends string, out Options extends readonly AnyCore[]> extends Schema<
  Options[number]['_output'],
  Options[number]['_input']
> {
  declare readonly def: UnionDefinition

  /** The key by which an alternative is chosen. */
  get discriminator(): Key {
    return this.def.discriminator as Key
  }

  /** The alternatives. */
  get options(): Options {
    return this.def.options as never
  }

  /** Each value of the key, and its alternative. */
  get optionsMap(): ReadonlyMap<unknown, AnyCore> {
    return this.def.optionsMap
  }
}

const makeDiscriminated = ({ discriminator, optionsMap, params }: UnionDefinition, use: RunOf): Run => {
  const runs = new Map<unknown, Run<unknown>>([...optionsMap].map(([value, option]) => [value, use(option)]))
  const expected = [...optionsMap.keys()]
  return (value, issues) => {
    if (!isObject(value)) return wrongType(issues, value, 'object', params)
    const run = runs.get(value[discriminator])
    if (run) return run(value, issues)
    const text = params?.error ?? `Invalid discriminator value. Expected ${list(expected)}`
    const options = [...expected]
    return report(issues, value, { code: 'invalid_union_discriminator', options, path: [discriminator] }, text, params)
  }
}

/** The parts of definitions that say which values a schema accepts. */
interface UnionParts extends Definition {
  readonly value?: unknown
  readonly values?: readonly unknown[]
  readonly inner?: AnyCore
  readonly options?: readonly AnyCore[]
  readonly shape?: Shape
  readonly getter?: () => AnyCore
}

/** The values that a schema accepts, read from its definition; empty if they are not a list. */
const valuesOf = ({ def }: AnyCore): readonly unknown[] => {
  const { type, value, values, inner, getter, options } = def as UnionParts
  if (type === 'literal') return [value]
  if (type === 'enum') return values!
  if (type === 'null') return [null]
  if (type === 'undefined') return [undefined]
  if (type === 'nullable') return [null, ...valuesOf(inner!)]
  if (type === 'optional') return [undefined, ...valuesOf(inner!)]
  if (type === 'union') return options!.flatMap(valuesOf)
  if (type === 'lazy') return valuesOf(getter!())
  return inner && type !== 'array' ? valuesOf(inner) : []
}

/** The values of the key that an alternative accepts: an object, or a union of objects. */
const tagsOf = ({ def }: AnyCore, key: string): readonly unknown[] => {
  const { shape, options, inner } = def as UnionParts
  if (shape) return Object.hasOwn(shape, key) ? valuesOf(shape[key]!) : []
  if (options) return options.flatMap((option) => tagsOf(option, key))
  return inner ? tagsOf(inner, key) : []
}

/**
 * Accept one of several objects, chosen by the value of one key. An alternative may be a union of objects itself.
 * Reports `invalid_type`, `invalid_union_discriminator`, and the issues of the chosen alternative alone.
 *
 * @throws {TypeError} when made, if an alternative does not say its value or two of them have the same.
 * @example
 * const either = discriminatedUnion('type', [object({ type: literal('a') }), object({ type: literal('b') })])
 * either.parse({ type: 'b' }) // { type: 'b' }
 */
export const discriminatedUnion = <Key extends string, const Options extends readonly [AnyCore, ...AnyCore[]]>(
  discriminator: Key,
  options: Options,
  params?: Params,
): DiscriminatedUnionSchema<Key, Options> => {
  const optionsMap = new Map<unknown, AnyCore>()
  for (const option of options) {
    const tags = tagsOf(option, discriminator)
    if (!tags.length)
      throw new TypeError(`discriminatedUnion: the value of "${discriminator}" could not be extracted from an option`)
    for (const tag of new Set(tags)) {
      if (optionsMap.has(tag))
        throw new TypeError(`discriminatedUnion: "${discriminator}" has duplicate value ${String(tag)}`)
      optionsMap.set(tag, option)
    }
  }
  const def = { type: 'discriminatedUnion', discriminator, options, optionsMap, params }
  return new DiscriminatedUnionSchema(def as Definition, makeDiscriminated)
}
