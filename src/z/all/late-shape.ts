import type { AnyCore, Run, RunOf } from '../../internal/z/definition.ts'
import { makeLazy } from '../../internal/z/nested.ts'
import { makeCatchall, makeObject, type WithRest } from '../../internal/z/object-run.ts'
import { Schema } from '../../internal/z/schema.ts'
import type { Shape } from '../../internal/z/types.ts'
import { create } from './zod3-schema.ts'

/** Shapes whose getters are called once. */
const resolvedShapes: WeakSet<Shape> = /* @__PURE__ */ new WeakSet()

/** The schema that a getter returned, and a lazy schema of it. */
const late: WeakMap<AnyCore, AnyCore> = /* @__PURE__ */ new WeakMap()

/** The same shape, whose getters are called once from now on. A frozen shape keeps its getters. */
export const lateShape = (shape: Shape): Shape => {
  if (resolvedShapes.has(shape)) return shape
  resolvedShapes.add(shape)
  for (const key of Object.keys(shape)) {
    const ask = Object.getOwnPropertyDescriptor(shape, key)!.get
    if (ask) Reflect.defineProperty(shape, key, { get: getOnce(ask.bind(shape)) })
  }
  return shape
}

/** A getter that uses the schema that it belongs to calls itself: it gets a lazy schema then. */
const getOnce = (ask: () => AnyCore): (() => AnyCore) => {
  let schema: AnyCore | undefined
  return () => {
    if (schema) return schema
    // If the getter throws, the lazy schema calls it again
    const getter = (): AnyCore | undefined => (schema === itself ? ask() : schema)
    const itself: AnyCore = create(Schema, { type: 'lazy', getter }, makeLazy)
    schema = itself
    schema = ask()
    late.set(schema, itself)
    return schema
  }
}

/** The run of an object. A getter is called for the first value: its schema may contain the object, or never end. */
export const makeLate = (def: WithRest, use: RunOf): Run => {
  lateShape(def.shape)
  const definition = def.catchall ? { ...def, makeRest: makeCatchall } : def
  return makeObject(definition, (field) => use(late.get(field) ?? field))
}
