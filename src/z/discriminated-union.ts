import type { Definition, Use } from './definition.ts'
import { list } from './enum-run.ts'
import type { Params } from './issue.ts'
import type { ObjectSchema } from './object.ts'
import { isObject } from './object-run.ts'
import { type Run, report, wrongType } from './run.ts'
import { type AnySchema, Schema } from './schema.ts'

// any: an object schema of every shape has to fit.
type AnyObject = ObjectSchema<any, any, any>

interface UnionDefinition extends Definition {
  readonly discriminator: string
  readonly options: readonly AnyObject[]
  readonly optionsMap: ReadonlyMap<unknown, AnyObject>
}

/** Of `discriminatedUnion()`. */
export class DiscriminatedUnionSchema<Key extends string, Options extends readonly AnyObject[]> extends Schema<
  Options[number]['_output'],
  Options[number]['_input']
> {
  declare readonly def: UnionDefinition

  /** The key that tells the alternatives apart. */
  get discriminator(): Key {
    return this.def.discriminator as Key
  }

  /** The alternatives. */
  get options(): Options {
    return this.def.options as never
  }

  /** Each value of the key, and its alternative. */
  get optionsMap(): ReadonlyMap<unknown, AnyObject> {
    return this.def.optionsMap
  }
}

/** One look into a map, however many alternatives there are. */
const makeDiscriminated = ({ discriminator, optionsMap, params }: UnionDefinition, use: Use): Run => {
  const runs = new Map<unknown, Run<unknown>>([...optionsMap].map(([value, option]) => [value, use(option)]))
  const expected = [...optionsMap.keys()]
  return (value, issues) => {
    if (!isObject(value)) return wrongType(issues, value, 'object', params)
    const run = runs.get(value[discriminator])
    if (run) return run(value, issues)
    const text = `Invalid discriminator value. Expected ${list(expected)}`

    const options = [...expected]
    return report(issues, value, { code: 'invalid_union_discriminator', options, path: [discriminator] }, text, params)
  }
}

interface Parts {
  readonly value?: unknown
  readonly values?: readonly unknown[]
  readonly inner?: AnySchema
  readonly getter?: () => AnySchema
}

/** The values that a schema accepts, read from its definition; none when there is no saying. */
const valuesOf = ({ def }: AnySchema): unknown[] => {
  const { value, values, inner, getter } = def as Parts
  switch (def.type) {
    case 'literal':
      return [value]
    case 'enum':
      return [...values!]
    case 'null':
      return [null]
    case 'undefined':
      return [undefined]
    case 'nullable':
      return [null, ...valuesOf(inner!)]
    case 'optional':
      return [undefined, ...valuesOf(inner!)]
    case 'lazy':
      return valuesOf(getter!())
    default:
      return inner && def.type !== 'array' && def.type !== 'pipe' ? valuesOf(inner) : []
  }
}

/**
 * Accept one of several objects, told apart by the value of one key.
 *
 * Reports `invalid_type`, `invalid_union_discriminator`, and the issues of the chosen alternative alone.
 *
 * @throws {TypeError} when made, if an alternative does not say its value or two of them have the same.
 * @example
 * discriminatedUnion('type', [object({ type: literal('a') }), object({ type: literal('b') })]).parse({ type: 'b' }) // { type: 'b' }
 */
export const discriminatedUnion = <Key extends string, const Options extends readonly [AnyObject, ...AnyObject[]]>(
  discriminator: Key,
  options: Options,
  params?: Params,
): DiscriminatedUnionSchema<Key, Options> => {
  const optionsMap = new Map<unknown, AnyObject>()
  for (const option of options) {
    const field = Object.hasOwn(option.shape, discriminator) ? valuesOf(option.shape[discriminator]) : []
    if (!field.length) throw new TypeError(`discriminatedUnion: an option does not say its value of "${discriminator}"`)
    for (const value of field) {
      if (optionsMap.has(value)) {
        throw new TypeError(`discriminatedUnion: "${discriminator}" has the value ${String(value)} in two options`)
      }
      optionsMap.set(value, option)
    }
  }
  const def = { type: 'discriminatedUnion', discriminator, options, optionsMap, params }
  return new DiscriminatedUnionSchema(def as Definition, makeDiscriminated)
}
