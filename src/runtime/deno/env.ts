import type { EnvFile } from '../contract.ts'

/** The part of Deno that is used here. */
declare const Deno: {
  readonly env: {
    get(name: string): string | undefined
    set(name: string, value: string): void
    toObject(): Record<string, string>
  }
  readonly errors: { readonly NotFound: new () => Error }
  readTextFileSync(path: string): string
}

/** A variable of the process. Deno needs `--allow-env`; invalid names are absent. */
export const readEnv = (name: string): unknown => (isName(name) ? Deno.env.get(name) : undefined)

/** All variables of the process. */
export const listEnv = (): Readonly<Record<string, string | undefined>> => Deno.env.toObject()

/** Deno throws for an empty name and for `=` and NUL in it. */
const isName = (name: string): boolean => /^[^=\0]+$/.test(name)

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
