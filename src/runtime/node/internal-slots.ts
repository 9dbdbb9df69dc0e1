interface Clonable {
  clone(): Request
}

/** Created when the platform first accesses the internals of our request, and used from then on. */
const natives = new WeakMap<Clonable, Request>()

/**
 * `new Request(ctx.request)` and `fetch(ctx.request)` access internal state of the platform's requests: on Node 20 and
 * 22 under symbols, where we provide that of a clone. Node 24 has private fields instead: users must call `clone()`
 * there.
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
