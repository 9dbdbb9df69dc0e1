interface Clonable {
  clone(): Request
}

/** Made when the platform first looks into a request of ours, and given to it from then on. */
const natives = new WeakMap<Clonable, Request>()

/**
 * `new Request(ctx.request)` and `fetch(ctx.request)` look for what the platform keeps in its own requests: Node 20 and 22
 * under symbols, where they find it in a clone. Node 24 keeps it in private fields: there, `clone()` has to be called.
 */
export const lendInside = (prototype: Clonable): void => {
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
