/** Standard Schema, version 1, as https://standardschema.dev defines it. */
export interface StandardSchema<In = unknown, Out = In> {
  readonly version: 1
  readonly vendor: string
  readonly validate: (value: unknown) => StandardResult<Out> | Promise<StandardResult<Out>>
  readonly types?: { readonly input: In; readonly output: Out } | undefined
}

/** What `validate` of a Standard Schema returns. */
export type StandardResult<Out> =
  | { readonly value: Out; readonly issues?: undefined }
  | { readonly issues: readonly { readonly message: string; readonly path?: readonly PropertyKey[] | undefined }[] }
