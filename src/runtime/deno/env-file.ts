import type { EnvFile } from '../contract.ts'

/** The part of Deno that is used here. */
declare const Deno: {
  readonly env: { set(name: string, value: string): void }
  readonly errors: { readonly NotFound: new () => Error }
  readTextFileSync(path: string): string
}

export const envFile: EnvFile | undefined = {
  read(path) {
    try {
      return Deno.readTextFileSync(path)
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return undefined
      throw error
    }
  },
  write: (name, value) => Deno.env.set(name, value),
}
