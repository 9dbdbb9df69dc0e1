/** A part of an application, by the methods that it has. */
export interface Provider {
  register?(): void | Promise<void>
  boot?(): void | Promise<void>
  shutdown?(): void | Promise<void>
}

/** The life of an application's providers. */
export interface Lifecycle<App> {
  /**
   * Add a provider. Its `register` runs at once, unless an earlier one is still at it; after the boot its `boot` runs too.
   * What throws synchronously is thrown here as well; what rejects is reported by {@link ready}.
   */
  register(provider: (new (app: App) => Provider) | Provider): void
  /**
   * Boot what is not booted: `undefined` when all is done, else one promise for everybody that asks meanwhile.
   * Never throws. After a failure the next call goes on with the provider that failed.
   */
  ready(): Promise<void> | undefined
  /** Shut down in reverse order what has booted, once. Rejects with the last error after all had their turn. */
  shutdown(): Promise<void>
}

/** Keep the providers of an application. Nothing becomes asynchronous unless a provider is. */
export const createLifecycle = <App>(app: App): Lifecycle<App> => {
  const providers: Provider[] = []
  let registered = 0
  let booted = 0
  let started = false
  let busy = false
  let active: Promise<void> | undefined
  let closing: Promise<void> | undefined

  /** Take step after step, up to the first that is asynchronous: its promise stands for all the rest. */
  const advance = (): Promise<void> | undefined => {
    while (!closing) {
      const boots = registered === providers.length
      const provider = providers[boots ? booted : registered]
      if (!provider || (boots && !started)) break
      const done = (): void => {
        if (boots) booted++
        else registered++
      }
      busy = true
      try {
        const running = boots ? provider.boot?.() : provider.register?.()
        if (running) return running.then(done).then(advance)
        done()
      } finally {
        busy = false
      }
    }
    active = undefined
    return undefined
  }

  const start = (): Promise<void> | undefined => {
    if (busy || active) return active
    active = advance()
    active?.catch(() => {
      active = undefined
    })
    return active
  }

  return {
    register(provider) {
      providers.push(typeof provider === 'function' ? new provider(app) : provider)
      start()
    },
    ready() {
      started = true
      try {
        return start()
      } catch (error) {
        return Promise.reject(error)
      }
    },
    shutdown() {
      closing ??= providers.reduceRight(
        (before, provider, index) => before.finally(() => index < booted && provider.shutdown?.()),
        Promise.resolve(active).catch(() => {}),
      )
      return closing
    },
  }
}
