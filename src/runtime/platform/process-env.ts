/** A variable of the process; for an inherited name such as `constructor` it may not be a string. */
export const readEnv = (name: string): unknown => process.env[name]

/** All variables of the process. */
export const listEnv = (): Readonly<Record<string, string | undefined>> => process.env
