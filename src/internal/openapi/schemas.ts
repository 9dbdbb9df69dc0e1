import { isOurs } from '../schema/check-value.ts'
import { type AnyCore, type Check, type CheckedDefinition, type DefinitionParts, metaOf } from '../z/definition.ts'
import { convert } from '../z/json-schema.ts'
import { accepts } from '../z/json-schema-missing.ts'
import type { JsonSchema, SchemaDocument } from '../z/json-schema-types.ts'
import { foreignSchema } from './foreign-schema.ts'
import { freeName, nameBySchema } from './names.ts'

const PLACE = '#/components/schemas/'

/** The schemas of one document: named ones are in `components`, and are used by reference. */
export interface Schemas {
  readonly components: { [name: string]: JsonSchema }
  /** The JSON Schema of a schema of any library. Error messages name the place. @default io: 'input' */
  describe(schema: unknown, place: string, io?: 'input' | 'output'): JsonSchema
  /** Add a schema of the document itself, and return a reference to it, which `finish` fills in. */
  own(name: string, schema: JsonSchema): JsonSchema
  /** Name the schemas of the document itself, after all names of users are known. */
  finish(): void
  /** The target of a reference; any other schema unchanged. */
  resolve(schema: JsonSchema): JsonSchema
}

export const createSchemas = (unrepresentable: 'throw' | 'any'): Schemas => {
  const components: { [name: string]: JsonSchema } = Object.create(null)
  const owners = new Map<string, unknown>()
  /** Of a schema whose output differs: its input or its output, whichever was described first. */
  const forms = new Map<string, unknown>()
  const claimName = (preferred: string, owner: unknown): string => {
    const name = freeName(preferred, (taken) => owners.has(taken) && owners.get(taken) !== owner)
    owners.set(name, owner)
    return name
  }
  const nameFor = (schema: object): string | undefined => {
    const name = nameBySchema.get(schema)
    if (!name) return undefined
    if ((owners.get(name) ?? schema) !== schema) throw new TypeError(`named: two schemas have the name ${name}`)
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
    const free = claimName(name, JSON.stringify(schema))
    components[free] = schema
    return { $ref: PLACE + free }
  }

  const tasks: (() => void)[] = []

  return {
    components,
    own: (name, schema) => {
      const reference: JsonSchema = {}
      const text = JSON.stringify(schema)
      tasks.push(() => {
        const free = freeName(name, (taken) => components[taken] && JSON.stringify(components[taken]) !== text)
        components[free] = schema
        reference.$ref = PLACE + free
      })
      return reference
    },
    finish: () => {
      for (const task of tasks) task()
    },
    describe: (schema, where, io = 'input') => {
      try {
        if (isOurs(schema)) return convert(schema, { target: 'draft-2020-12', io, unrepresentable, document })
        const name = nameFor(schema as object)
        if (!name) return foreignSchema(schema, components, define, unrepresentable)
        components[name] ??= foreignSchema(schema, components, define, unrepresentable)
        return { $ref: PLACE + name }
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
    return fileOf((def as DefinitionParts).checks)
  if (def.type === 'preprocess') {
    const { inner } = def as DefinitionParts
    const meta = metaOf(def)
    return meta ? { def: { ...inner!.def, meta: { ...metaOf(inner!.def), ...meta } } } : inner
  }
  if (!coercesInput(def)) return undefined
  if (def.type === 'date') return { type: 'string', format: 'date-time' }
  if (def.type === 'bigint') return { type: 'integer' }
  return { def: { ...def, coerce: undefined } }
}

/** Whether a definition converts its value first. `date()` copies the value, but does not accept a string. */
export const coercesInput = ({ type, coerce }: Partial<CheckedDefinition>): boolean =>
  !!coerce && (type !== 'date' || coerce('2000-01-01') instanceof Date)

/** The description of a file in a form. JSON Schema can name one media type: of several, it names none. */
const fileOf = (checks: readonly Check[] = []): JsonSchema => {
  const types = checks.find(({ kind }) => kind === 'mime')?.value as readonly string[] | undefined
  const [contentMediaType, ...others] = types ?? ['application/octet-stream']
  return { type: 'string', format: 'binary', ...(!others.length && { contentMediaType }) }
}

/** Types of the files for the test, because a schema may require one of them. */
const TYPES = ['', 'image/png', 'image/jpeg', 'application/pdf', 'text/plain', 'text/csv']

/** Whether a schema accepts only files. One like `instanceof(File)` is a function, so it is tested with values. */
const acceptsFiles = (schema: AnyCore): boolean =>
  !['x', '', 0, true, null, {}].some((value) => accepts(schema, value)) &&
  TYPES.some((type) => accepts(schema, new File(['x'], 'x', { type })))
