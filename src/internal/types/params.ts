type NamesOf<Path extends string> = Path extends `${string}/:${infer Tail}`
  ? Tail extends `${infer Name}/${infer Rest}`
    ? Name | NamesOf<`/${Rest}`>
    : Tail
  : Path extends `${string}/*${infer Name}`
    ? Name extends ''
      ? '*'
      : Name
    : never

/** The name in `:id{[0-9]+}`; the mark of `:type?` stays. */
type BareName<Name extends string> = Name extends `${infer Bare}{${string}?`
  ? `${Bare}?`
  : Name extends `${infer Bare}{${string}`
    ? Bare
    : Name

type WithMarks<Names extends string> = {
  readonly [Name in Exclude<Names, `${string}?`>]: string
} & { readonly [Name in Names as Name extends `${infer Bare}?` ? Bare : never]?: string }

/**
 * `ctx.params` of a route, read from its pattern: `ParamsOf<'/users/:id'>` is `{ id: string }`.
 *
 * @typeParam Prefix of the group that the route is in
 */
export type ParamsOf<Path extends string, Prefix extends string = ''> = string extends Path
  ? Record<string, string>
  : Path extends `${string}?` | `${string}{${string}`
    ? WithMarks<BareName<NamesOf<`${Prefix}/${Path}`>>>
    : { readonly [Name in NamesOf<`${Prefix}/${Path}`>]: string }
