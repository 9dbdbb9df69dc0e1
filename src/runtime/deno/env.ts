interface DenoEnv {
  get(name: string): string | undefined
  toObject(): Record<string, string>
}

const denoEnv = (): DenoEnv => (globalThis as unknown as { readonly Deno: { readonly env: DenoEnv } }).Deno.env

/** A variable of the process. Deno needs `--allow-env`; invalid names are absent. */
export const readEnv = (name: string): unknown => (isName(name) ? denoEnv().get(name) : undefined)

/** All variables of the process. */
export const listEnv = (): Readonly<Record<string, string | undefined>> => denoEnv().toObject()

/** Deno throws for an empty name and for `=` and NUL in it. */
const isName = (name: string): boolean => /^[^=\0]+$/.test(name)
