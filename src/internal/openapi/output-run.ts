import type { AnyCore, Run } from '../z/definition.ts'
import { wrongType } from '../z/report.ts'

/** Whether it is a schema of `z`, whose definition can be read. */
export const isOurs = (schema: unknown): schema is AnyCore =>
  (schema as { '~standard'?: { vendor?: string } })['~standard']?.vendor === 'sluice'

/** A run for the output of a schema of `z`, as JSON: it converts nothing. A `transform` may return anything. */
export const outputRun = (schema: AnyCore): Run => {
  const { def, make } = schema
  const { inner, target } = def as { inner?: AnyCore; target?: AnyCore }
  const as = (changed: object): Run => make(changed, outputRun as never, (fn) => fn)
  switch (def.type) {
    case 'transform':
      return (value) => value
    case 'default':
    case 'catch':
    case 'preprocess':
      return outputRun(inner!)
    case 'pipe':
      return outputRun(target!)
    case 'stringbool':
      return (value, issues) => (typeof value === 'boolean' ? value : wrongType(issues, value, 'boolean'))
    case 'string':
    case 'number':
    case 'boolean':
      return as({ ...def, coerce: undefined })
    default:
      return as(def)
  }
}
