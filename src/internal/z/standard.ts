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

/** Makes further parts of the `~standard` of every schema; set by the module that has them. */
let moreOf: ((schema: AnyCore) => object) | undefined

/** Give every schema of `sluice/z` further parts of Standard Schema from now on. */
export const setStandardMore = (more: (schema: AnyCore) => object): void => {
  moreOf = more
}

/** The further parts of a schema's `~standard`. */
export const standardMore = (schema: AnyCore): object | undefined => moreOf?.(schema)
