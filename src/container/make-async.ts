import type { Binding, Container, Factory, Token } from '../container.ts'
import { callFactoriesWith, circle } from '../internal/container/calls.ts'

/**
 * The value of a binding whose factory may be asynchronous. All calls while it is being made share one promise. A
 * rejected promise is not kept, so the next call tries again.
 *
 * A factory must get other values from its container argument: then a cycle is found even after an `await`, where it
 * would otherwise wait for itself for ever.
 *
 * @throws rejects where `make` would throw: nothing is bound, or there is a cycle
 * @example
 * container.singleton('db', async (c) => connect(await makeAsync(c, 'url')))
 * await makeAsync(container, 'db')
 */
export function makeAsync<Known extends object, N extends string & keyof Known>(
  container: Container<Known>,
  name: N,
): Promise<Awaited<Known[N]>>
export function makeAsync<T>(container: Container, name: Token<T>): Promise<Awaited<T>>
export function makeAsync<T = unknown>(container: Container, name: string): Promise<Awaited<T>>
export async function makeAsync(container: Container, name: string): Promise<unknown> {
  callFactoriesWith(callWithView)
  const asking = askers.get(container)
  const asked = container.find(name)
  if (asking === undefined || asked === undefined) return container.make(name)
  const path = pathTo(asking, asked)
  if (path !== undefined) throw circle([asking, ...path])
  const awaited = waits.get(asking) ?? new Set()
  waits.set(asking, awaited.add(asked))
  try {
    return await container.make(name)
  } finally {
    awaited.delete(asked)
  }
}

/** The binding that a factory is making, by the container view that it got. */
const askers: WeakMap<Container, Binding> = /* @__PURE__ */ new WeakMap()

/** The bindings that a binding is waiting for. */
const waits: WeakMap<Binding, Set<Binding>> = /* @__PURE__ */ new WeakMap()

/** Give the factory its own view of the container, which identifies the binding until its value exists. */
const callWithView = <T>(factory: Factory<T>, container: Container, binding: Binding): T => {
  const view: Container = Object.create(container)
  askers.set(view, binding)
  const done = (): void => {
    askers.delete(view)
  }
  const value = factory(view)
  if (value instanceof Promise) value.then(done, done)
  else done()
  return value
}

/** The path of waits from one binding to another, if there is one. Bindings in `seen` lead nowhere. */
const pathTo = (wanted: Binding, from: Binding, seen: Set<Binding> = new Set()): Binding[] | undefined => {
  if (from === wanted) return [wanted]
  seen.add(from)
  for (const next of waits.get(from) ?? []) {
    const path = seen.has(next) ? undefined : pathTo(wanted, next, seen)
    if (path !== undefined) return [from, ...path]
  }
  return undefined
}
