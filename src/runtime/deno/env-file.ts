/** The part of Deno that is used here. */
declare const Deno: {
  readonly env: { set(name: string, value: string): void }
  readonly errors: { readonly NotFound: new () => Error }
  readTextFileSync(path: string): string
}

/** Text of a file, `undefined` when there is none. */
export const readEnvFile = (path: string): string | undefined => {
  try {
    return Deno.readTextFileSync(path)
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined
    throw error
  }
}

/** Set a variable of the process. */
export const writeEnv = (name: string, value: string): void => {
  Deno.env.set(name, value)
}
