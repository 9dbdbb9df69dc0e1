/** The part of Deno that is used here. */
declare const Deno: {
  readonly env: { get(name: string): string | undefined; toObject(): Record<string, string> }
}

/** A variable of the process. Deno needs `--allow-env`; invalid names are absent. */
export const readEnv = (name: string): unknown => (isName(name) ? Deno.env.get(name) : undefined)

/** All variables of the process. */
export const listEnv = (): Readonly<Record<string, string | undefined>> => Deno.env.toObject()

/** Deno throws for an empty name and for `=` and NUL in it. */
const isName = (name: string): boolean => /^[^=\0]+$/.test(name)
