import type { AnyCore } from './definition.ts'

/** Standard Schema, version 1, as https://standardschema.dev defines it. */
export interface StandardSchema<out In = unknown, out Out = In> {
  readonly version: 1
  readonly vendor: string
  readonly validate: (value: unknown) => StandardResult<Out> | Promise<StandardResult<Out>>
  readonly types?: { readonly input: In; readonly output: Out } | undefined
}

/** The result of `validate` of a Standard Schema. */
export type StandardResult<Out> =
  | { readonly value: Out; readonly issues?: undefined }
  | { readonly issues: readonly { readonly message: string; readonly path?: readonly PropertyKey[] | undefined }[] }

/** Set by the module that makes the further parts, so that a bundle without it has none of its code. */
let moreOf: ((schema: AnyCore) => object) | undefined

/** Give every schema of `sluice/z` further parts of Standard Schema from now on. */
export const setStandardMore = (more: (schema: AnyCore) => object): void => {
  moreOf = more
}

export const standardMore = (schema: AnyCore): object | undefined => moreOf?.(schema)
