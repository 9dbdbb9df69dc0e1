import type { AnyCore, Run, Use } from '../../internal/z/definition.ts'
import { makeLazy } from '../../internal/z/lazy-run.ts'
import { makeCatchall } from '../../internal/z/object-catchall.ts'
import { makeObject, type WithRest } from '../../internal/z/object-run.ts'
import { Schema } from '../../internal/z/schema.ts'
import type { Shape } from '../../internal/z/types.ts'
import { create } from './zod3-schema.ts'

/** Shapes whose getters are asked once. */
const known: WeakSet<Shape> = /* @__PURE__ */ new WeakSet()

/** The schema that a getter returned, and a lazy schema of it. */
const late: WeakMap<AnyCore, AnyCore> = /* @__PURE__ */ new WeakMap()

/** The same shape, whose getters are asked once from now on. A frozen one keeps its getters. */
export const lateShape = (shape: Shape): Shape => {
  if (known.has(shape)) return shape
  known.add(shape)
  for (const key of Object.keys(shape)) {
    const ask = Object.getOwnPropertyDescriptor(shape, key)!.get
    if (ask) Reflect.defineProperty(shape, key, { get: once(ask.bind(shape)) })
  }
  return shape
}

/** A getter that derives from the schema that it belongs to asks for itself: it is given a lazy schema then. */
const once = (ask: () => AnyCore): (() => AnyCore) => {
  let made: AnyCore | undefined
  return () => {
    if (made) return made
    // If the getter throws, it is asked again by whoever was given the lazy schema.
    const itself: AnyCore = create(Schema, { type: 'lazy', getter: () => (made === itself ? ask() : made) }, makeLazy)
    made = itself
    made = ask()
    late.set(made, itself)
    return made
  }
}

/**
 * The run of an object. What a getter gives is made for the first value, since it may hold the object, or ever more.
 */
export const makeLate = (def: WithRest, use: Use): Run => {
  lateShape(def.shape)
  const own = def.catchall ? { ...def, makeRest: makeCatchall } : def
  return makeObject(own, (field) => use(late.get(field) ?? field))
}
