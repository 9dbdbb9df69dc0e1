/** The part of a schema that the compiler reads: its definition, and a function that creates its run. */
export interface Schema {
  readonly def: Definition
  readonly make: unknown
}

/** One check of a definition. */
export interface Check {
  readonly kind: string
  readonly value?: unknown
  readonly change?: unknown
  readonly issue?: Readonly<Record<string, unknown>> | undefined
}

/** The parts of all kinds of definitions. */
export interface Definition {
  readonly type: string
  readonly inner: Schema
  readonly key: Schema
  readonly target: Schema
  readonly left: Schema
  readonly right: Schema
  readonly items: readonly Schema[]
  readonly rest?: Schema | undefined
  readonly options: readonly Schema[]
  readonly optionsMap: ReadonlyMap<unknown, Schema>
  readonly discriminator: string
  readonly shape: Readonly<Record<string, Schema>>
  readonly unknownKeys: string
  readonly catchall?: Schema | undefined
  readonly checks?: readonly Check[]
  readonly coerce?: unknown
  readonly value?: unknown
  readonly values: readonly unknown[]
}

/** True for a schema of `sluice/z`, of any copy of the package. */
export const isSchema = (value: unknown): value is Schema => {
  const { def, make, safeParse } = (typeof value === 'object' && value !== null ? value : {}) as Partial<
    Schema & { safeParse: unknown }
  >
  return typeof def?.type === 'string' && typeof make === 'function' && typeof safeParse === 'function'
}

/** An inner schema: the path to it (`.def.inner`), and its name in reports, if it has one. */
export type Child = readonly [access: string, schema: Schema, label: string]

/** The inner schemas of a schema. That of `lazy` is only known when its function is called. */
export const childrenOf = ({ def }: Schema): Child[] => {
  const singles = ['inner', 'key', 'target', 'left', 'right', 'rest', 'catchall'] as const
  const parts = singles
    .filter((name) => isSchema(def[name]))
    .map((name): Child => [`.def.${name}`, def[name] as Schema, ''])
  const lists = (['items', 'options'] as const).flatMap((name) =>
    (def[name] ?? []).map((schema, index): Child => [`.def.${name}[${index}]`, schema, '']),
  )
  const fields = Object.keys(def.shape ?? {}).map((key): Child => [shapeAccess(key), def.shape[key]!, key])
  return [...parts, ...lists, ...fields]
}

/** The path to a field of an object schema. */
export const shapeAccess = (key: string): string => `.def.shape[${JSON.stringify(key)}]`
