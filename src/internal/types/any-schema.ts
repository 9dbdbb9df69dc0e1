/** Anything that `validate` and the validator middleware accept: Standard Schema v1, or an object with `safeParse`. */
export type AnySchema<Out = unknown, In = unknown> =
  | {
      readonly '~standard': {
        readonly validate: (value: unknown) => unknown
        readonly types?: { readonly input?: In; readonly output: Out } | undefined
      }
    }
  | { safeParse(value: unknown): unknown; readonly _output?: Out; readonly _input?: In }

/** The input type of a schema. */
export type InputOf<S> = S extends { readonly '~standard': { readonly types?: infer T } }
  ? NonNullable<T> extends { readonly input: infer In }
    ? In
    : unknown
  : S extends { readonly _input?: infer In }
    ? In
    : unknown

/** The output type of a schema. */
export type OutputOf<S> = S extends { readonly '~standard': { readonly types?: infer T } }
  ? NonNullable<T> extends { readonly output: infer Out }
    ? Out
    : unknown
  : S extends { readonly _output?: infer Out }
    ? Out
    : unknown
