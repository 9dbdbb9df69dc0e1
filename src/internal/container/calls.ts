interface ResolvableBinding {
  readonly name: string
  resolve(container: object): unknown
}

/** The bindings that are being made, outermost first. Empty between synchronous runs. */
const resolving: ResolvableBinding[] = []

/** The binding that each factory is making, by its view of the container. */
const resolverByView: WeakMap<object, ResolvableBinding> = /* @__PURE__ */ new WeakMap()

/** The bindings that a binding is waiting for. */
const dependencies: WeakMap<ResolvableBinding, Set<ResolvableBinding>> = /* @__PURE__ */ new WeakMap()

/** A factory that throws if it is called while it runs. Its view of the container names its binding, even later. */
export const withCycleCheck =
  <Owner extends object, T>(binding: ResolvableBinding, factory: (container: Owner) => T): ((container: Owner) => T) =>
  (container) => {
    if (resolving.includes(binding)) throw circleError([...resolving, binding])
    const view: Owner = Object.create(container)
    const done = (): void => void resolverByView.delete(view)
    resolverByView.set(view, binding)
    resolving.push(binding)
    let value: T | undefined
    try {
      value = factory(view)
      return value
    } finally {
      resolving.pop()
      if (value instanceof Promise) value.then(done, done)
      else done()
    }
  }

/** The value of a binding, through a container that may be the view of another. A cycle of waits would never end. */
export const resolveBinding = (container: object, wanted: ResolvableBinding): unknown => {
  const resolver = resolverByView.get(container)
  const path = resolver && pathTo(resolver, wanted)
  if (resolver && path) throw circleError([resolver, ...path])
  const value = wanted.resolve(container)
  if (!resolver || !(value instanceof Promise)) return value
  const awaited = dependencies.get(resolver) ?? new Set()
  dependencies.set(resolver, awaited.add(wanted))
  const done = (): void => void awaited.delete(wanted)
  value.then(done, done)
  return value
}

/** The path of waits from one binding to another, if there is one. */
const pathTo = (
  target: ResolvableBinding,
  from: ResolvableBinding,
  visited: Set<ResolvableBinding> = new Set(),
): ResolvableBinding[] | undefined => {
  if (from === target) return [target]
  visited.add(from)
  for (const next of dependencies.get(from) ?? []) {
    const path = visited.has(next) ? undefined : pathTo(target, next, visited)
    if (path) return [from, ...path]
  }
  return undefined
}

const circleError = (path: readonly ResolvableBinding[]): Error =>
  new Error(`Circular dependency: ${path.map((binding) => binding.name).join(' -> ')}`)
