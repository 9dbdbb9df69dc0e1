/** Directives of a Cache-Control, by lower-case name; one without a value is `''`. Has no prototype. */
export type Directives = Readonly<Record<string, string | undefined>>

/** A directive and perhaps its value, quoted or not (RFC 9111 §5.2). */
const DIRECTIVE = /([^\s,;="]+)(?:[ \t]*=[ \t]*(?:"([^"]*)"|([^\s,"]*)))?/g

/** Parse a Cache-Control. The first of two directives with one name counts. */
export const directivesOf = (field: string | null): Directives => {
  const directives: Record<string, string> = Object.create(null)
  for (const [, name, quoted, plain] of (field ?? '').matchAll(DIRECTIVE))
    directives[name!.toLowerCase()] ??= quoted ?? plain ?? ''
  return directives
}

/** The seconds of a directive; `undefined` if it is absent, and 0 if it is not a number, which counts as stale. */
export const secondsOf = (value: string | undefined): number | undefined =>
  value === undefined ? undefined : /^\d+$/.test(value) ? Number(value) : 0
