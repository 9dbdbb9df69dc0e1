import { usageError } from '../errors.ts'
import type { Field } from '../fields/fields.ts'
import { keysOfModel, type UniqueKeys } from '../fields/unique-keys.ts'
import type { KindInput } from '../kinds/kind.ts'
import { fieldsOfModel, isDefined } from './defined-model.ts'
import { flagsOfModel, keyOfModel, tableOfModel } from './model-fields.ts'

/**
 * Refuse a resource whose existing model lacks what the command line asks for: its controller, routes and test would
 * use columns that the model does not have.
 *
 * @param file Path of the model in the project.
 * @throws {CliError} with exit code 2
 */
export const assertFits = (input: KindInput, file: string, source: string): void => {
  const reasons = misfits(input, source)
  if (reasons.length === 0) return
  const named = input.typed.length > 0 ? ', leave out the fields to take those that it has,' : ''
  throw usageError(
    `${file} exists and does not fit, so nothing was written:\n` +
      `${reasons.map((reason) => `  ${reason}\n`).join('')}` +
      `Change it and run the command again ("sluice db:diff --write" writes a migration for new columns)${named} ` +
      'or use --force, which replaces the file; with --dry-run, it shows the differences',
  )
}

/** True if an existing model has all that the command line asks for, and has the key that a resource needs. */
export const fits = (input: KindInput, source: string): boolean => misfits(input, source).length === 0

/** What a model lacks, as sentences without a full stop. */
const misfits = (input: KindInput, source: string): readonly string[] => {
  const { name, flags, table } = input
  if (!new RegExp(`\\bclass ${name.pascal}\\b`).test(source)) return [`It declares no class ${name.pascal}`]
  if (!isDefined(source)) return ['It is not made by Model.define, from which the routes derive their schemas']
  const key = keyOfModel(source)
  const own = flagsOfModel(source)
  const ownTable = tableOfModel(source) ?? name.table
  return [
    ...(key === 'number'
      ? []
      : [`A resource needs the key "id: number", not "id: ${key}": put a UUID into another column`]),
    ...Object.entries(SWITCHES).flatMap(([flag, remedy]) =>
      flags.has(flag) && !own.includes(flag) ? [`For --${flag}, ${remedy}`] : [],
    ),
    ...(table === ownTable ? [] : [`Its table is ${ownTable}, not ${table}`]),
    ...(input.typed.length === 0 ? [] : differences(input.typed, fieldsOfModel(source))),
    ...input.unique
      .filter((key) => !hasKey(keysOfModel(source), key))
      .map((key) => `It has no unique(${key.join(',')})`),
  ]
}

const hasKey = (keys: UniqueKeys, key: readonly string[]): boolean =>
  keys.some((each) => each.map(plain).sort().join() === key.map(plain).sort().join())

/** A key may name a reference with `Id`. */
const plain = (name: string): string => name.replace(/Id$/, '')

/** The switches that change a model, each with the lines that it lacks without it. */
const SWITCHES: Readonly<Record<string, string>> = {
  'soft-delete': 'write "{ softDelete: true }" behind its fields',
  lock: 'write "{ version: true }" behind its fields',
  'no-timestamps': 'write "{ timestamps: false }" behind its fields',
}

const differences = (typed: readonly Field[], own: readonly Field[]): readonly string[] => [
  ...typed.flatMap((field) => {
    const there = own.find(({ name }) => name === field.name)
    if (there === undefined) return [`It has no field ${written(field)}`]
    return written(there) === written(field) ? [] : [`Its field is ${written(there)}, not ${written(field)}`]
  }),
  ...own
    .filter(({ name }) => !typed.some((field) => field.name === name))
    .map((field) => `It also has the field ${written(field)}`),
]

const written = ({ name, spec, optional }: Field): string => `${name}:${spec}${optional ? '?' : ''}`
