import { checkNames, checkOption } from '../internal/options/check.ts'
import type { AnyCore } from '../internal/z/definition.ts'
import { convert } from '../internal/z/json-schema.ts'
import type { JsonSchema, Target } from '../internal/z/json-schema-types.ts'
import { type StandardSchema, setStandardMore } from '../internal/z/standard.ts'

export type { JsonSchema, Target } from '../internal/z/json-schema-types.ts'

/** Options of {@link toJsonSchema}. */
export interface JsonSchemaOptions {
  /** The dialect. @default 'draft-2020-12' */
  readonly target?: Target
  /**
   * Whether the input or the output of the schema is described; they differ at `default`, `transform`, `pipe` and
   * `coerce`. @default 'input'
   */
  readonly io?: 'input' | 'output'
  /** Whether a schema that JSON Schema cannot express is an error, or accepts everything. @default 'throw' */
  readonly unrepresentable?: 'throw' | 'any'
}

const DIALECTS: { readonly [Name in Target]: string | undefined } = {
  'draft-2020-12': 'https://json-schema.org/draft/2020-12/schema',
  'draft-7': 'http://json-schema.org/draft-07/schema#',
  'openapi-3.0': undefined,
}

/**
 * Describe a schema as JSON Schema. Recursive schemas become definitions with references. Rules that only a function
 * can decide (`refine`) are left out, as are changes of the value (`trim`).
 *
 * @throws {TypeError} for what JSON cannot hold (`bigint()`, `date()`, `map()` …), unless `unrepresentable` is `'any'`;
 * for a bad option.
 * @example
 * toJsonSchema(object({ name: string().min(1) }), { target: 'draft-7' })
 */
export const toJsonSchema = (schema: AnyCore, options: JsonSchemaOptions = {}): JsonSchema => {
  checkNames('toJsonSchema', options, 'target io unrepresentable')
  const { target = 'draft-2020-12', io = 'input', unrepresentable = 'throw' } = options
  const targets = Object.keys(DIALECTS)
  checkOption(targets.includes(target), 'toJsonSchema: target', `one of ${targets.join(', ')}`, target)
  checkOption(/^(in|out)put$/.test(io), 'toJsonSchema: io', '"input" or "output"', io)
  const isKnown = /^(throw|any)$/.test(unrepresentable)
  checkOption(isKnown, 'toJsonSchema: unrepresentable', '"throw" or "any"', unrepresentable)
  checkOption(schema?.def, 'toJsonSchema: schema', 'a schema of z', schema)
  const dialect = DIALECTS[target]
  return { ...(dialect && { $schema: dialect }), ...convert(schema, { target, io, unrepresentable }) }
}

/** The part of Standard Schema that returns JSON Schema. */
export interface StandardJsonSchema {
  readonly input: (options: { readonly target: string }) => JsonSchema
  readonly output: (options: { readonly target: string }) => JsonSchema
}

const TARGETS: { readonly [name: string]: Target | undefined } = {
  'draft-2020-12': 'draft-2020-12',
  'draft-07': 'draft-7',
  'openapi-3.0': 'openapi-3.0',
}

/**
 * A schema whose `~standard` has `jsonSchema` too, as Standard JSON Schema 1 requires.
 *
 * @example
 * withJsonSchema(string())['~standard'].jsonSchema.input({ target: 'draft-2020-12' })
 */
export const withJsonSchema = <T extends AnyCore & { readonly '~standard': object }>(
  schema: T,
): {
  readonly '~standard': StandardSchema<T['_input'], T['_output']> & { readonly jsonSchema: StandardJsonSchema }
} => {
  const standard = schema['~standard'] as StandardSchema<T['_input'], T['_output']>
  return { '~standard': { ...standard, jsonSchema: jsonSchemaOf(schema) } }
}

const jsonSchemaOf = (schema: AnyCore): StandardJsonSchema => {
  const as =
    (io: 'input' | 'output') =>
    ({ target }: { readonly target: string }): JsonSchema =>
      toJsonSchema(schema, { target: TARGETS[target] ?? (target as Target), io })
  return { input: as('input'), output: as('output') }
}

/**
 * Give every schema of `sluice/z` its `~standard.jsonSchema`, for tools that look for it. An application that does not
 * call this does not ship it.
 *
 * @example
 * useJsonSchema() // once, where the application starts
 */
export const useJsonSchema = (): void => setStandardMore((schema) => ({ jsonSchema: jsonSchemaOf(schema) }))
