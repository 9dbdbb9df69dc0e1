import { type Issue, withoutStack } from '../../internal/schema/validation-error.ts'
import { construct, type Result, runOf } from '../../internal/z/core.ts'
import type { AnyCore, CheckedDefinition, Definition, Make, Meta } from '../../internal/z/definition.ts'
import { makeTransform } from '../../internal/z/effect.ts'
import { applyErrorMaps, useMaps } from '../../internal/z/error-map.ts'
import type { ErrorParams, ParseOptions, RefinementContext } from '../../internal/z/issue.ts'
import { metaOf } from '../../internal/z/meta.ts'
import { parseLater, safeParseLater, validate } from '../../internal/z/parse-async.ts'
import { fromPayload } from '../../internal/z/payload-check.ts'
import { INVALID, isThenable } from '../../internal/z/report.ts'
import { type Schema, wrap } from '../../internal/z/schema.ts'
import { type StandardSchema, standardMore } from '../../internal/z/standard.ts'
import { zodDefinition } from '../../internal/z/zod-definition.ts'
import { ZodError } from '../../internal/z/zod-error.ts'
import { array } from '../array.ts'
import { meta } from '../meta.ts'
import { overwrite } from '../overwrite.ts'
import { promise } from '../promise.ts'
import { bindMethods } from './bind-methods.ts'
import type { Zod3Schema } from './zod3-methods.ts'

type Class = abstract new (...args: never[]) => unknown

/** Each class of `sluice/z`, and the class of `sluice/zod3` that extends it. */
const classes: WeakMap<Class, typeof Schema> = /* @__PURE__ */ new WeakMap()

/** The class of `sluice/zod3` for a class of `sluice/z`. */
const zod3ClassOf = (type: typeof Schema): typeof Schema => {
  const existing = classes.get(type)
  if (existing) return existing
  const extended = extend(type)
  classes.set(type, extended)
  // A class of `sluice/zod3` is not extended again.
  classes.set(extended, extended)
  return extended
}

/** The same schema with every method of zod 3; schemas that are made from it have them too. */
export const toZod3 = <T extends AnyCore, Result = T>(
  { def, make, constructor }: T,
  type: abstract new (...args: never[]) => Result = constructor as never,
): Zod3Schema<Result> => create(type, def, make)

/** Create a schema with every method of zod 3, from a class of `sluice/z`. */
export const create = (type: unknown, def: object, make: Make): never => {
  const { params } = def as { params?: ErrorParams }
  if (typeof params?.error === 'function') useMaps()
  if (params?.errorMap) {
    useMaps()
    if (params.invalid_type_error ?? params.required_error) {
      throw new TypeError('z: errorMap: expected no invalid_type_error or required_error with it, got both')
    }
  }
  return construct(zod3ClassOf(type as typeof Schema), def, make)
}

const extend = (Base: typeof Schema): typeof Schema => {
  const small = (Base.prototype as { check?: (...checks: readonly unknown[]) => unknown }).check
  // any: the types are those of More.
  class Extended extends Base<any, any> {
    /** Set when a synchronous parse met a promise; a field of each schema would be slow to make. */
    declare waits?: boolean

    override parse(value: unknown, options?: ParseOptions): unknown {
      const result = this.safeParse(value, options)
      if (result.success) return result.data
      throw new ZodError(result.error.issues)
    }

    override safeParse(value: unknown, options?: ParseOptions): Result<unknown> {
      if (options?.errorMap) useMaps()
      const issues: Issue[] = []
      const data = runOf(this)(value, issues)
      return issues.length || data === INVALID
        ? { success: false, error: withoutStack(applyErrorMaps(issues, options), ZodError) }
        : { success: true, data }
    }

    parseAsync(value: unknown, options?: ParseOptions): Promise<unknown> {
      return parseLater(this, value, options)
    }

    safeParseAsync(value: unknown, options?: ParseOptions): Promise<Result<unknown>> {
      return safeParseLater(this, value, options)
    }

    spa(value: unknown, options?: ParseOptions): Promise<Result<unknown>> {
      return safeParseLater(this, value, options)
    }

    /** Standard Schema, version 1. `validate` returns a promise if user code does. */
    override get '~standard'(): StandardSchema {
      return { version: 1, vendor: 'sluice', validate: (value) => validate(this, value), ...standardMore(this) }
    }

    array(): unknown {
      return toZod3(array(this))
    }

    promise(): unknown {
      return toZod3(promise(this))
    }

    _refinement(check: (value: unknown, context: RefinementContext) => unknown): unknown {
      return this.superRefine(check as never)
    }

    refinement(check: (value: unknown) => unknown, issue: object | ((...given: unknown[]) => object)): unknown {
      return this.superRefine((value: unknown, context: RefinementContext) => {
        const judge = (passed: unknown): void => {
          if (!passed) context.addIssue(typeof issue === 'function' ? issue(value, context) : issue)
        }
        const verdict = check(value)
        // A promise is truthy, so its result is awaited
        return (isThenable(verdict) ? verdict.then(judge) : judge(verdict)) as void
      })
    }

    check(...checks: unknown[]): unknown {
      if (!small || typeof checks[0] === 'function')
        return checks.reduce((made: Schema, check) => made.superRefine(fromPayload(check) as never), this)
      // Every method that adds a check calls this: flatMap alone would take a third of the time of a schema.
      // A schema as an argument means its checks, as in zod 4: `string().check(email())`.
      const flat = checks.some(defOf) ? checks.flatMap((check) => defOf(check)?.checks ?? check) : checks
      return small.apply(this, flat)
    }

    register(registry: { add(schema: unknown, facts: unknown): void }, known: unknown): unknown {
      registry.add(this, known)
      return this
    }

    meta(told?: Meta): unknown {
      return told ? meta(this, told) : metaOf(this.def)
    }

    overwrite(change: (value: unknown) => unknown): unknown {
      return 'check' in Base.prototype ? this.check(overwrite(change)) : wrap(this, 'refine', makeTransform, { change })
    }

    isOptional(): boolean {
      return this.safeParse(undefined).success
    }

    isNullable(): boolean {
      return this.safeParse(null).success
    }

    removeDefault(): unknown {
      return innerOf(this)
    }

    removeCatch(): unknown {
      return innerOf(this)
    }

    innerType(): unknown {
      return innerOf(this)
    }

    sourceType(): unknown {
      let at: AnyCore = this
      while (/^(refine|transform|preprocess)$/.test(at.def.type)) at = innerOf(at)
      return at
    }

    /** The definition in the form of zod 3, for tools that read schemas. */
    get _def(): object {
      return zodDefinition(this.def)
    }

    '~as'(type: typeof Schema): typeof Schema {
      return zod3ClassOf(type)
    }
  }
  Object.defineProperty(Extended, 'name', { value: Base.name })
  bindMethods(Extended.prototype)
  return Extended as never
}

const defOf = (check: unknown): CheckedDefinition | undefined => (check as { def?: CheckedDefinition }).def

const innerOf = (schema: AnyCore): AnyCore => (schema.def as Definition & { inner: AnyCore }).inner
