/** Where a platform shows a `process.env`: workerd with `nodejs_compat`, edge-light. */
interface Platform {
  readonly process?: { readonly env?: Readonly<Record<string, string | undefined>> }
}

/** All variables that the platform shows. */
export const listEnv = (): Readonly<Record<string, string | undefined>> =>
  (globalThis as unknown as Platform).process?.env ?? {}

/** A variable that the platform shows; for an inherited name such as `constructor` it may be no string. */
export const readEnv = (name: string): unknown => listEnv()[name]
