/** A schema as the compiler reads it: any object with a definition and a function that makes its run. */
export interface Schema {
  readonly def: Definition
  readonly make: unknown
}

/** One check of a definition. */
export interface Check {
  readonly kind: string
  readonly value?: unknown
  readonly change?: unknown
  readonly counts?: unknown
  readonly issue?: Readonly<Record<string, unknown>> | undefined
}

/** The parts of all kinds of definitions. */
export interface Definition {
  readonly type: string
  /** Who has given this kind another rule than its own. */
  readonly runs?: string
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
  readonly makeRest?: unknown
  readonly catchall?: Schema | undefined
  readonly checks?: readonly Check[]
  readonly coerce?: unknown
  readonly value?: unknown
  readonly values: readonly unknown[]
}

/** Is it a schema of `sluice/z`, of whatever copy of the package. */
export const isSchema = (value: unknown): value is Schema => {
  const { def, make, safeParse } = (typeof value === 'object' && value !== null ? value : {}) as Partial<
    Schema & { safeParse: unknown }
  >
  return typeof def?.type === 'string' && typeof make === 'function' && typeof safeParse === 'function'
}

/** A schema inside of another one: how to get there (`.def.inner`), and what to call the place, if it has a name. */
export type Child = readonly [access: string, schema: Schema, label: string]

/** The schemas that a schema holds itself. What `lazy` holds is only known when it is called. */
export const childrenOf = ({ def }: Schema): Child[] => {
  const one = ['inner', 'key', 'target', 'left', 'right', 'rest', 'catchall'] as const
  const parts = one
    .filter((name) => isSchema(def[name]))
    .map((name): Child => [`.def.${name}`, def[name] as Schema, ''])
  const lists = (['items', 'options'] as const).flatMap((name) =>
    (def[name] ?? []).map((schema, index): Child => [`.def.${name}[${index}]`, schema, '']),
  )
  const fields = Object.keys(def.shape ?? {}).map((key): Child => [shapeAccess(key), def.shape[key]!, key])
  return [...parts, ...lists, ...fields]
}

/** How to get to a field of an object schema. */
export const shapeAccess = (key: string): string => `.def.shape[${JSON.stringify(key)}]`
