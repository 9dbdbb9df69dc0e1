import type { AnyCore, CheckedDefinition, Definition } from '../z/definition.ts'
import { convert } from '../z/json-schema.ts'
import type { JsonSchema, SchemaDocument } from '../z/json-schema-types.ts'
import { metaOf } from '../z/meta.ts'
import { acceptsFiles, fileOf } from './file-schema.ts'
import { foreignSchema } from './foreign-schema.ts'
import { nameOf } from './names.ts'
import { isOurs } from './output-run.ts'

const PLACE = '#/components/schemas/'

/** The schemas of one document: named ones are in `components`, and are used by reference. */
export interface Schemas {
  readonly components: { [name: string]: JsonSchema }
  /**
   * The JSON Schema of a schema of any library, of its input unless said otherwise. `place` is used in the message if
   * it has none.
   */
  describe(schema: unknown, place: string, io?: 'input' | 'output'): JsonSchema
  /** Add a schema of the document itself, and return a reference to it, which `finish` fills in. */
  own(name: string, schema: JsonSchema): JsonSchema
  /** Name the schemas of the document itself, after all names of users are known. */
  finish(): void
  /** The target of a reference; any other schema unchanged. */
  resolve(schema: JsonSchema): JsonSchema
}

/** @param unrepresentable what to do with a schema that JSON Schema cannot express */
export const createSchemas = (unrepresentable: 'throw' | 'any'): Schemas => {
  const components: { [name: string]: JsonSchema } = Object.create(null)
  const owners = new Map<string, unknown>()
  /** The owner of each name: of a schema whose output differs, its input or its output, whichever came first. */
  const forms = new Map<string, unknown>()
  const claimName = (preferred: string, owner: unknown): string => {
    let name = preferred
    for (let count = 2; owners.has(name) && owners.get(name) !== owner; count++) name = `${preferred}${count}`
    owners.set(name, owner)
    return name
  }
  const nameFor = (schema: object): string | undefined => {
    const name = nameOf(schema)
    if (!name) return undefined
    const owner = owners.get(name) ?? schema
    if (owner !== schema) throw new TypeError(`named: two schemas have the name ${name}`)
    owners.set(name, schema)
    return name
  }

  const document: SchemaDocument = {
    place: PLACE,
    names: new Map(),
    definitions: components,
    twins: new Map(),
    nameOf: (schema, needed, twin) => {
      const name = nameFor(schema)
      const form = twin ?? schema
      if (!name) return needed ? claimName('Schema', form) : undefined
      if (!forms.has(name)) forms.set(name, form)
      return forms.get(name) === form ? name : claimName(name + (twin ? 'Output' : 'Input'), form)
    },
    insteadOf,
  }

  const define = (name: string, schema: JsonSchema): JsonSchema => {
    const text = JSON.stringify(schema)
    const free = claimName(name, text)
    components[free] = schema
    return { $ref: PLACE + free }
  }

  const reference = (schema: object, make: () => JsonSchema): JsonSchema => {
    const name = nameFor(schema)
    if (!name) return make()
    components[name] ??= make()
    return { $ref: PLACE + name }
  }

  const waiting: { readonly ref: JsonSchema; readonly name: string; readonly schema: JsonSchema }[] = []

  return {
    components,
    own: (name, schema) => {
      const ref: JsonSchema = {}
      waiting.push({ ref, name, schema })
      return ref
    },
    finish: () => {
      for (const { ref, name, schema } of waiting) {
        const text = JSON.stringify(schema)
        let free = name
        for (let count = 2; components[free] && JSON.stringify(components[free]) !== text; count++) free = name + count
        components[free] = schema
        ref.$ref = PLACE + free
      }
    },
    describe: (schema, where, io = 'input') => {
      try {
        return isOurs(schema)
          ? convert(schema, { target: 'draft-2020-12', io, unrepresentable, document })
          : reference(schema as object, () => foreignSchema(schema, { components, place: define }, unrepresentable))
      } catch (error) {
        throw new TypeError(`openapi: ${where}: ${(error as Error).message}`, { cause: error })
      }
    },
    resolve: (schema) => {
      const { $ref } = schema
      return typeof $ref === 'string' && $ref.startsWith(PLACE) ? components[$ref.slice(PLACE.length)]! : schema
    },
  }
}

/** A coerced or preprocessed value is described by its output, which a client can send as well. */
const insteadOf = (schema: AnyCore): JsonSchema | Pick<AnyCore, 'def'> | undefined => {
  const { def } = schema
  if (def.type === 'file' || (def.type === 'refine' && acceptsFiles(schema)))
    return fileOf((def as Partial<CheckedDefinition>).checks)
  if (def.type === 'preprocess') {
    const { inner } = def as Definition & { readonly inner: AnyCore }
    const meta = metaOf(def)
    return meta ? { def: { ...inner.def, meta: { ...metaOf(inner.def), ...meta } } } : inner
  }
  if (!coercesInput(def)) return undefined
  if (def.type === 'date') return { type: 'string', format: 'date-time' }
  if (def.type === 'bigint') return { type: 'integer' }
  return { def: { ...def, coerce: undefined } }
}

/** Whether a definition converts its value first. `date()` copies the value, but does not accept a string. */
export const coercesInput = ({
  type,
  coerce,
}: Definition & { readonly coerce?: (value: unknown) => unknown }): boolean =>
  !!coerce && (type !== 'date' || coerce('2000-01-01') instanceof Date)
