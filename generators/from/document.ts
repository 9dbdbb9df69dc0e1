import { readFileSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { configError, failure, usageError } from '../errors.ts'
import { resolveFrom } from '../project/loader.ts'

/** An object of a document, whose members are not checked yet. */
export type Part = { readonly [member: string]: unknown }

/** A part of a document that a project cannot express: where it stands, and what is missing. */
export interface Note {
  readonly where: string
  readonly what: string
}

/** An OpenAPI document, and the notes about it so far. */
export interface ApiDocument {
  readonly root: Part
  readonly notes: Note[]
}

export const isPart = (value: unknown): value is Part =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const partOf = (value: unknown): Part => (isPart(value) ? value : {})

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** A text of the document, or undefined. */
export const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/**
 * Read an OpenAPI 3.0 or 3.1 document: JSON, or YAML if the package `yaml` is installed.
 *
 * @throws {CliError} with exit code 1 for a file that cannot be read, 2 for one that is not such a document, 3 without
 * the package `yaml`.
 */
export const readDocument = async (cwd: string, file: string): Promise<ApiDocument> => {
  const root = await parse(read(resolve(cwd, file), file), file, cwd)
  const { openapi, swagger } = partOf(root)
  if (!isPart(root) || !/^3\.[01](\.|$)/.test(String(openapi)))
    throw usageError(
      `--from: ${file}: expected an OpenAPI document of version 3.0 or 3.1, got ${JSON.stringify(openapi) ?? 'none'}` +
        (swagger === undefined ? '' : ': convert Swagger first, with npx swagger2openapi'),
    )
  return { root, notes: [] }
}

const read = (path: string, file: string): string => {
  try {
    return readFileSync(path, 'utf8').replace(/^\uFEFF/, '')
  } catch (error) {
    throw failure(`--from: ${file} cannot be read: ${(error as Error).message}`, error)
  }
}

const parse = async (text: string, file: string, cwd: string): Promise<unknown> => {
  const parser = /\.ya?ml$/i.test(file) ? await yaml(cwd, file) : JSON
  try {
    return parser.parse(text)
  } catch (error) {
    throw usageError(`--from: ${basename(file)}: ${(error as Error).message}`)
  }
}

/** The parser of the runtime, of the folder of the command line, or beside this command. */
const yaml = async (cwd: string, file: string): Promise<{ parse(text: string): unknown }> => {
  const { Bun } = globalThis as { Bun?: { YAML?: { parse(text: string): unknown } } }
  if (Bun?.YAML) return Bun.YAML
  const path = resolveFrom(cwd, 'yaml')
  try {
    return await import(path === undefined ? 'yaml' : pathToFileURL(path).href)
  } catch (error) {
    throw configError(
      `--from: ${file} is YAML, which needs the package yaml: npm install yaml in this folder, ` +
        'or npx --package sluice --package yaml sluice new …',
      error,
    )
  }
}

/** The value of a `$ref` within the document, followed to its end; anything else as it is. */
export const follow = (
  { root, notes }: ApiDocument,
  value: unknown,
  where: string,
  seen: readonly string[] = [],
): unknown => {
  const reference = textOf(partOf(value).$ref)
  if (reference === undefined) return value
  const target = reference.startsWith('#') && !seen.includes(reference) ? lookUp(root, reference) : undefined
  if (target !== undefined) return follow({ root, notes }, target, where, [...seen, reference])
  notes.push({ where, what: `the reference ${reference} is not in the document` })
  return undefined
}

/** What a JSON pointer (RFC 6901) in a `$ref` points at. */
export const lookUp = (root: Part, reference: string): unknown => {
  let value: unknown = root
  for (const word of reference.slice(2).split('/')) {
    const key = decode(word).replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    value = (value as Part)[key]
  }
  return value
}

const decode = (word: string): string => {
  try {
    return decodeURIComponent(word)
  } catch {
    return word
  }
}
