interface Deno {
  readonly env: { set(name: string, value: string): void }
  readonly errors: { readonly NotFound: new () => Error }
  readTextFileSync(path: string): string
}

const deno = (): Deno => (globalThis as unknown as { readonly Deno: Deno }).Deno

/** Text of a file, `undefined` when there is none. */
export const readEnvFile = (path: string): string | undefined => {
  try {
    return deno().readTextFileSync(path)
  } catch (error) {
    if (error instanceof deno().errors.NotFound) return undefined
    throw error
  }
}

/** Set a variable of the process. */
export const writeEnv = (name: string, value: string): void => {
  deno().env.set(name, value)
}
