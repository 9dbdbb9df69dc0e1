import { EnvError, type EnvIssue, withoutValue } from '../internal/env/env-issues.ts'
import { checkNames, checkOption } from '../internal/options/check.ts'
import type { OutputOf } from '../internal/types/any-schema.ts'
import { allEnv } from './env.ts'

export { EnvError, type EnvIssue } from '../internal/env/env-issues.ts'

/** A Standard Schema (zod, valibot, arktype, `sluice/z` …). */
export interface EnvSchema<Out = unknown> {
  readonly '~standard': {
    readonly validate: (value: unknown) => unknown
    readonly types?: { readonly output: Out } | undefined
  }
}

/** The schema of the environment: one object schema, or one schema for each variable. */
export type EnvShape = EnvSchema | Readonly<Record<string, EnvSchema>>

/** The checked environment. */
export type EnvOf<Shape extends EnvShape> = Shape extends EnvSchema
  ? Readonly<OutputOf<Shape>>
  : { readonly [Name in keyof Shape]: OutputOf<Shape[Name]> }

/** Options of {@link defineEnv}. */
export interface DefineEnvOptions {
  /** Where variables come from, such as the `env` of a worker. @default everything that `env(name)` sees */
  readonly source?: object
}

/**
 * Validate the environment once, at startup, and return it with types. An empty variable counts as absent.
 *
 * @throws {EnvError} that lists every missing or invalid variable and every schema that throws or is asynchronous,
 * never a value
 * @throws {TypeError} for a bad option, and for a value that is not a schema
 * @example
 * const { PORT, DATABASE_URL } = defineEnv({ PORT: z.coerce.number().int(), DATABASE_URL: z.string().url() })
 */
export const defineEnv = <const Shape extends EnvShape>(shape: Shape, options: DefineEnvOptions = {}): EnvOf<Shape> => {
  checkOption(Object(shape) === shape, 'defineEnv', 'a Standard Schema or a record of such schemas', shape)
  checkNames('defineEnv', options, 'source:object')
  const variables = Object.entries(options.source ?? allEnv())
  const source = Object.fromEntries(variables.filter(([, value]) => value !== ''))
  const issues: EnvIssue[] = []
  const values = isSchema(shape) ? check(shape, source, source, '', issues) : checkEach(shape, source, issues)
  if (issues.length > 0) throw new EnvError(issues)
  return Object.freeze(values) as EnvOf<Shape>
}

type EnvValues = Readonly<Record<string, unknown>>

const isSchema = (shape: EnvShape): shape is EnvSchema => '~standard' in shape

const checkEach = (shape: Readonly<Record<string, EnvSchema>>, source: EnvValues, issues: EnvIssue[]): object => {
  const values: Record<string, unknown> = Object.create(null)
  for (const [name, schema] of Object.entries(shape)) {
    values[name] = check(schema, valueOf(source, name), source, name, issues)
  }
  return values
}

const valueOf = (source: EnvValues, name: string): unknown => (Object.hasOwn(source, name) ? source[name] : undefined)

interface Outcome {
  readonly value?: unknown
  readonly issues?: readonly { readonly message: string; readonly path?: readonly unknown[] }[]
}

const check = (schema: EnvSchema, input: unknown, source: EnvValues, name: string, issues: EnvIssue[]): unknown => {
  checkOption(schema['~standard'], name ? `defineEnv: ${name}` : 'defineEnv', 'a Standard Schema', schema)
  let outcome: unknown
  try {
    outcome = schema['~standard'].validate(input)
  } catch {}
  // With zod 4 a schema that throws is one that rejects. The error may hold the value
  if (outcome instanceof Promise) outcome.catch(() => {})
  if (outcome === undefined || outcome instanceof Promise) {
    issues.push({ name: name || 'the environment', message: 'the schema threw an error, or is asynchronous' })
    return undefined
  }
  const { value, issues: found = [] } = outcome as Outcome
  for (const { message, path = [] } of found) {
    const full = [...(name === '' ? [] : [name]), ...path.map(keyOf)]
    issues.push({ name: full.join('.'), message: withoutValue(message, valueOf(source, full[0] ?? '')) })
  }
  return value
}

/** A path contains keys, or objects with a key (Standard Schema v1). */
const keyOf = (segment: unknown): string =>
  String(typeof segment === 'object' && segment !== null ? (segment as { key: unknown }).key : segment)
