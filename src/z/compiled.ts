import { runOf } from '../internal/z/core.ts'
import type { AnyCore, Run, RunOf } from '../internal/z/definition.ts'
import type { PathKey } from '../internal/z/issue.ts'
import type { ObjectDefinition } from '../internal/z/object-types.ts'
import { INVALID, under } from '../internal/z/report.ts'

export { runOf } from '../internal/z/core.ts'
export { isObject } from '../internal/z/object-run.ts'
export { INVALID } from '../internal/z/report.ts'

/** The value that generated code returns inside for a value that it does not accept. */
export const MISS: never = /* @__PURE__ */ Symbol('miss') as never

/**
 * Give a schema the code that `sluice compile` made of it. It stays the same schema with another run, which calls the
 * interpreted run for values that the code does not accept. So issues and messages are those of the schema. Written by
 * the command and the plug-in, not by hand. A frozen schema stays as it is.
 *
 * @example
 * compiled(string(), (schema, own) => (value, issues) => (typeof value === 'string' ? value : own(value, issues)))
 */
export const compiled = <T extends AnyCore>(schema: T, make: (schema: T, ownRun: Run) => Run): T => {
  if (Object.isFrozen(schema)) return schema
  schema.run = make(schema, schema.make(schema.def, runOf as never, same))
  return schema
}

/** The interpreted run of a schema, with generated runs for children: `[child, run, child, run …]`. */
export const interpreted = (schema: AnyCore, children: readonly unknown[]): Run => {
  const use: RunOf = (child) => {
    const at = children.indexOf(child)
    return (at < 0 ? runOf(child) : children[at + 1]) as Run<never>
  }
  return schema.make(schema.def, use, same)
}

/** The run of a field of an object: a schema from a getter is guarded against values that contain themselves. */
export const runIn = (schema: AnyCore, key: string): Run => {
  const children: AnyCore[] = []
  schema.make(schema.def, (child) => children.push(child) as never, same)
  return runOf(children[Object.keys((schema.def as ObjectDefinition).shape).indexOf(key)]!)
}

/** Run a schema without its issues: returns `MISS` if there is one. */
export const quiet = (run: Run, value: unknown): unknown => {
  const issues: never[] = []
  const out = run(value, issues)
  return out === INVALID || issues.length ? MISS : out
}

/** Run a schema below `path` of the value that is parsed. */
export const at = (run: Run, value: unknown, issues: Parameters<Run>[1], path: readonly PathKey[]): unknown => {
  const start = issues.length
  const out = run(value, issues)
  if (issues.length > start) for (let index = path.length; index-- > 0; ) under(issues, start, path[index]!)
  return out
}

const same = <T>(value: T): T => value
