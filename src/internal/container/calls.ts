/** The parts of a binding that are needed to make it and to name it in an error. */
interface Making {
  readonly name: string
  resolve(container: object): unknown
}

/** The bindings that are being made at this moment, outermost first. Empty between synchronous runs. */
const making: Making[] = []

/** The bindings that factories are making, by the view of the container that each got. */
const askers: WeakMap<object, Making> = /* @__PURE__ */ new WeakMap()

/** The bindings that a binding is waiting for. */
const waits: WeakMap<Making, Set<Making>> = /* @__PURE__ */ new WeakMap()

/**
 * A factory that cannot be called while it is running. It gets its own view of the container, which identifies its
 * binding until the value exists, after an `await` too.
 */
export const withCycleCheck =
  <Owner extends object, T>(binding: Making, factory: (container: Owner) => T): ((container: Owner) => T) =>
  (container) => {
    if (making.includes(binding)) throw circleError([...making, binding])
    const view: Owner = Object.create(container)
    const done = (): void => void askers.delete(view)
    askers.set(view, binding)
    making.push(binding)
    let value: T | undefined
    try {
      value = factory(view)
      return value
    } finally {
      making.pop()
      if (value instanceof Promise) value.then(done, done)
      else done()
    }
  }

/**
 * The value of a binding, through a container that may be the view of another binding. A binding that waits for itself
 * would wait for ever.
 *
 * @throws {Error} with the names, if it does
 */
export const resolveBinding = (container: object, wanted: Making): unknown => {
  const asker = askers.get(container)
  const path = asker && pathTo(asker, wanted)
  if (asker && path) throw circleError([asker, ...path])
  const value = wanted.resolve(container)
  if (!asker || !(value instanceof Promise)) return value
  const awaited = waits.get(asker) ?? new Set()
  waits.set(asker, awaited.add(wanted))
  const done = (): void => void awaited.delete(wanted)
  value.then(done, done)
  return value
}

/** The path of waits from one binding to another, if there is one. Bindings in `seen` lead nowhere. */
const pathTo = (target: Making, from: Making, visited: Set<Making> = new Set()): Making[] | undefined => {
  if (from === target) return [target]
  visited.add(from)
  for (const next of waits.get(from) ?? []) {
    const path = visited.has(next) ? undefined : pathTo(target, next, visited)
    if (path !== undefined) return [from, ...path]
  }
  return undefined
}

/** The error for a value that depends on itself. */
const circleError = (path: readonly Making[]): Error =>
  new Error(`Circular dependency: ${path.map((binding) => binding.name).join(' -> ')}`)
