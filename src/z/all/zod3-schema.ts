import type { Issue } from '../../errors/validation-error.ts'
import { withoutStack } from '../../internal/schema/without-stack.ts'
import { construct, type Result, runOf } from '../../internal/z/core.ts'
import {
  type AnyCore,
  type CheckedDefinition,
  type Definition,
  type Make,
  type Meta,
  metaOf,
} from '../../internal/z/definition.ts'
import { applyErrorMaps, useMaps } from '../../internal/z/error-map.ts'
import type { ErrorParams, ParseOptions, RefinementContext } from '../../internal/z/issue.ts'
import { fromPayload } from '../../internal/z/payload-check.ts'
import { INVALID, isThenable } from '../../internal/z/report.ts'
import { type Schema, wrap } from '../../internal/z/schema.ts'
import { type StandardSchema, standardMore } from '../../internal/z/standard.ts'
import { makeTransform } from '../../internal/z/wrap-runs.ts'
import { zodDefinition } from '../../internal/z/zod-definition.ts'
import { ZodError } from '../../internal/z/zod-error.ts'
import { array } from '../array.ts'
import { overwrite } from '../overwrite.ts'
import { parseAsync, safeParseAsync, validate } from '../parse-async.ts'
import { promise } from '../promise.ts'
import { meta } from '../registry.ts'
import { bindMethods } from './bind-methods.ts'
import type { Zod3Schema } from './zod3-methods.ts'

/** The class of `sluice/zod3` for each class of `sluice/z`, and for itself. */
const classes: WeakMap<typeof Schema, typeof Schema> = /* @__PURE__ */ new WeakMap()

const zod3ClassOf = (type: typeof Schema): typeof Schema => {
  const existing = classes.get(type)
  if (existing) return existing
  const extended = extend(type)
  classes.set(type, extended).set(extended, extended)
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
  if (params?.errorMap || typeof params?.error === 'function') useMaps()
  if (params?.errorMap && (params.invalid_type_error ?? params.required_error))
    throw new TypeError('z: errorMap: expected no invalid_type_error or required_error with it, got both')
  return construct(zod3ClassOf(type as typeof Schema), def, make)
}

const extend = (Base: typeof Schema): typeof Schema => {
  const addChecks = (Base.prototype as { check?: (...checks: readonly unknown[]) => unknown }).check
  // any: the types are those of More
  class Extended extends Base<any, any> {
    /** Set when a synchronous parse met a promise. A field of each schema would be slow to make. */
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
      return parseAsync(this, value, options)
    }

    safeParseAsync(value: unknown, options?: ParseOptions): Promise<Result<unknown>> {
      return safeParseAsync(this, value, options)
    }

    spa(value: unknown, options?: ParseOptions): Promise<Result<unknown>> {
      return safeParseAsync(this, value, options)
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
        const reportUnless = (passed: unknown): void => {
          if (!passed) context.addIssue(typeof issue === 'function' ? issue(value, context) : issue)
        }
        const passed = check(value)
        return (isThenable(passed) ? passed.then(reportUnless) : reportUnless(passed)) as void
      })
    }

    check(...checks: unknown[]): unknown {
      if (!addChecks || typeof checks[0] === 'function')
        return checks.reduce((made: Schema, check) => made.superRefine(fromPayload(check) as never), this)
      // A schema as an argument means its checks, as in zod 4. Without one, `flatMap` would take a third of the time
      const flat = checks.some(defOf) ? checks.flatMap((check) => defOf(check)?.checks ?? check) : checks
      return addChecks.apply(this, flat)
    }

    register(registry: { add(schema: unknown, facts: unknown): void }, facts: unknown): unknown {
      registry.add(this, facts)
      return this
    }

    meta(facts?: Meta): unknown {
      return facts ? meta(this, facts) : metaOf(this.def)
    }

    overwrite(change: (value: unknown) => unknown): unknown {
      return addChecks ? this.check(overwrite(change)) : wrap(this, 'refine', makeTransform, { change })
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
      let source: AnyCore = this
      while (/^(refine|transform|preprocess)$/.test(source.def.type)) source = innerOf(source)
      return source
    }

    /** For tools that read schemas of zod 3. */
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
