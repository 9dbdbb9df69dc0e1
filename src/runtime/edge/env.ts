/** The `process.env` of a platform that has one: workerd with `nodejs_compat`, edge-light. */
interface Platform {
  readonly process?: { readonly env?: Readonly<Record<string, string | undefined>> }
}

/** All variables of the platform. */
export const listEnv = (): Readonly<Record<string, string | undefined>> => (globalThis as Platform).process?.env ?? {}

/** A variable of the platform; for an inherited name such as `constructor` it may not be a string. */
export const readEnv = (name: string): unknown => listEnv()[name]
