/**
 * Put a platform class into the prototype chain of ours, so that `instanceof` works, but do not access the global yet:
 * the first access loads undici, which takes 15 ms of a cold start and which most processes never need.
 *
 * The `Proxy` replaces itself with the real class at the first `instanceof`. Besides the facade, it is the only one.
 *
 * @param whenLoaded called once, when the platform's class is loaded
 */
export const inheritFrom = (
  Class: { readonly prototype: object },
  name: 'Headers' | 'Request' | 'Response',
  whenLoaded: () => void = () => {},
): void => {
  const getPrototypeOf = (): object => {
    const { prototype } = globalThis[name]
    Object.setPrototypeOf(Class.prototype, prototype)
    whenLoaded()
    return prototype
  }
  Object.setPrototypeOf(Class.prototype, new Proxy({}, { getPrototypeOf }))
}

/** Define read-only members that have the same value in every object of a class. */
export const defineDefaults = (prototype: object, defaults: Readonly<Record<string | symbol, unknown>>): void => {
  for (const name of Reflect.ownKeys(defaults))
    Object.defineProperty(prototype, name, { get: () => defaults[name], configurable: true })
}

interface Clonable {
  clone(): Request
}

const natives = new WeakMap<Clonable, Request>()

/**
 * `new Request(ctx.request)` and `fetch(ctx.request)` read the internal state of a platform request. On Node 20 and 22
 * it is under symbols, for which we return the state of a clone. Node 24 uses private fields: there, users call
 * `clone()`.
 */
export const exposeInternalSlots = (prototype: Clonable): void => {
  for (const symbol of Object.getOwnPropertySymbols(new Request('http://localhost'))) {
    Object.defineProperty(prototype, symbol, {
      get(this: Clonable): unknown {
        let native = natives.get(this)
        if (!native || native.bodyUsed) native = this.clone()
        natives.set(this, native)
        return native[symbol as never]
      },
    })
  }
}
