import { checkNames, checkOption } from '../internal/options/check.ts'
import type { OutputOf } from '../internal/types/any-schema.ts'
import { allEnv } from './env.ts'

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
 * @throws {EnvError} that lists all missing and invalid variables, and schemas that throw or are asynchronous, without
 * values. @throws {TypeError} for a bad option, and for a value that is not a schema
 * @example
 * const { PORT, DATABASE_URL } = defineEnv({ PORT: z.coerce.number().int(), DATABASE_URL: z.string().url() })
 */
export const defineEnv = <const Shape extends EnvShape>(shape: Shape, options: DefineEnvOptions = {}): EnvOf<Shape> => {
  checkOption(Object(shape) === shape, 'defineEnv', 'a Standard Schema or a record of such schemas', shape)
  checkNames('defineEnv', options, 'source:object')
  const variables = Object.entries(options.source ?? allEnv())
  const source = Object.fromEntries(variables.filter(([, value]) => value !== ''))
  const valueOf = (name: string): unknown => (Object.hasOwn(source, name) ? source[name] : undefined)
  const issues: EnvIssue[] = []
  const check = (schema: EnvSchema, input: unknown, ...name: string[]): unknown => {
    checkOption(schema['~standard'], ['defineEnv', ...name].join(': '), 'a Standard Schema', schema)
    const outcome = outcomeOf(schema, input)
    if (!outcome) issues.push({ name: name[0] ?? 'the environment', message: FAILED })
    for (const { message, path = [] } of outcome?.issues ?? []) {
      const keys = [...name, ...path.map(keyOf)]
      issues.push({ name: keys.join('.'), message: withoutValue(message, valueOf(keys[0] ?? '')) })
    }
    return outcome?.value
  }
  const checkEach = ([name, schema]: [string, EnvSchema]): object => ({ [name]: check(schema, valueOf(name), name) })
  const values = isSchema(shape)
    ? check(shape, source)
    : Object.assign(Object.create(null), ...Object.entries(shape).map(checkEach))
  if (issues.length > 0) throw new EnvError(issues)
  return Object.freeze(values) as EnvOf<Shape>
}

const isSchema = (shape: EnvShape): shape is EnvSchema => '~standard' in shape

const FAILED = 'the schema threw an error, or is asynchronous'

interface Outcome {
  readonly value?: unknown
  readonly issues?: readonly { readonly message: string; readonly path?: readonly unknown[] }[]
}

/** What a schema says of a value, unless it throws or returns a promise. */
const outcomeOf = (schema: EnvSchema, input: unknown): Outcome | undefined => {
  try {
    const outcome = schema['~standard'].validate(input)
    if (!(outcome instanceof Promise)) return outcome as Outcome
    // In zod 4, a schema that throws returns a promise, which rejects. The error may hold the value
    outcome.catch(() => {})
  } catch {}
  return undefined
}

/** A path contains keys, or objects with a key (Standard Schema v1). */
const keyOf = (segment: unknown): string =>
  String(typeof segment === 'object' && segment !== null ? (segment as { key: unknown }).key : segment)

/** One variable that is missing or invalid. */
export interface EnvIssue {
  /** Name of the variable, with the path inside a structured one: `LIMITS.burst`. */
  readonly name: string
  /** The mistake, without the value. */
  readonly message: string
}

/** Lists all variables that are missing or invalid, without values. */
export class EnvError extends Error {
  override readonly name = 'EnvError'
  readonly issues: readonly EnvIssue[]

  constructor(issues: readonly EnvIssue[]) {
    super(['Invalid environment:', ...issues.map((issue) => `  ${issue.name}: ${issue.message}`)].join('\n'))
    this.issues = issues
  }
}

/** Minimum length of a part of a value that could be a secret by itself. */
const MIN_PART_LENGTH = 4

/** Replace a message that contains all words of a value, or a long one: many people read startup logs. */
const withoutValue = (message: string, value: unknown): string => {
  if (typeof value !== 'string') return message
  const text = message.toLowerCase()
  const parts = wordsOf(value.toLowerCase())
  const words = wordsOf(text)
  const repeats =
    (parts.length ? parts.every((part) => words.includes(part)) : text.includes(value.toLowerCase())) ||
    parts.some((part) => part.length >= MIN_PART_LENGTH && text.includes(part))
  return repeats ? 'is invalid (the message of its schema repeats the value and is withheld)' : message
}

/** Letters and digits. A literal of such a pattern would cost every process that loads this file. */
const WORD = '\\p{L}\\p{N}'

const wordsOf = (text: string): string[] => text.split(new RegExp(`[^${WORD}]+`, 'u')).filter(Boolean)
