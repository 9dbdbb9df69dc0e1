/** The segments of a pattern that are parameters, as a union: `:id`, `:type?`, `*path`. */
type SegmentsOf<Path extends string> = Path extends `${infer Head}/${infer Tail}`
  ? SegmentsOf<Head> | SegmentsOf<Tail>
  : Path extends `:${string}` | `*${string}`
    ? Path
    : never

/** The name in a segment, without the pattern of `:id{[0-9]+}` and the mark of `:type?`. */
type NameOf<Segment extends string> = Segment extends '*'
  ? '*'
  : Segment extends `*${infer Name}`
    ? Name
    : Segment extends `:${infer Name}{${string}`
      ? Name
      : Segment extends `:${infer Name}?`
        ? Name
        : Segment extends `:${infer Name}`
          ? Name
          : never

/** What a segment may be whose parameter may be absent. */
type Maybe = `:${string}?`

/** `ctx.params` of a route, read from its pattern: `ParamsOf<'/users/:id'>` is `{ id: string }`. */
export type ParamsOf<Path extends string> = string extends Path
  ? Record<string, string>
  : Path extends `${string}?${string}`
    ? { readonly [Segment in Exclude<SegmentsOf<Path>, Maybe> as NameOf<Segment>]: string } & {
        readonly [Segment in Extract<SegmentsOf<Path>, Maybe> as NameOf<Segment>]?: string
      }
    : { readonly [Segment in SegmentsOf<Path> as NameOf<Segment>]: string }
