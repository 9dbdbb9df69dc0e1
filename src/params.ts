/** Names of the parameters in a pattern, as a union. */
type NamesOf<Path extends string> = Path extends `${infer Head}/${infer Tail}`
  ? NamesOf<Head> | NamesOf<Tail>
  : Path extends `:${infer Name}`
    ? Name
    : Path extends `*${infer Name}`
      ? Name extends ''
        ? '*'
        : Name
      : never

/** `ctx.params` of a route, read from its pattern: `ParamsOf<'/users/:id'>` is `{ id: string }`. */
export type ParamsOf<Path extends string> = string extends Path
  ? Record<string, string>
  : { readonly [Name in NamesOf<Path>]: string }
