import { whenResolved } from '../promise/awaitable.ts'

/** A part of an application, by the methods that it has. */
export interface Provider {
  register?(): void | Promise<void>
  boot?(): void | Promise<void>
  shutdown?(): void | Promise<void>
}

/** The lifecycle of an application's providers. */
export interface Lifecycle<App> {
  /**
   * Add a provider. Its `register` runs at once, unless an earlier one is still running; after the application has
   * booted, its `boot` runs too. Throws a synchronous error; {@link ready} rejects with an asynchronous one.
   */
  register(provider: (new (app: App) => Provider) | Provider): void
  /** Boot the remaining providers, if any. All callers share one promise; after a failure the next call tries again. */
  ready(): Promise<void> | undefined
  /** Shut down the booted providers in reverse order, only once. Rejects with the last error after all were called. */
  shutdown(): Promise<void>
}

/** Manage the providers of an application. Stays synchronous unless a provider is asynchronous. */
export const createLifecycle = <App>(app: App): Lifecycle<App> => {
  const providers: Provider[] = []
  let registered = 0
  let booted = 0
  let started = false
  let busy = false
  let active: Promise<void> | undefined
  let closing: Promise<void> | undefined

  /** Run provider after provider, up to the first asynchronous one: its promise also covers the rest. */
  const advance = (): Promise<void> | undefined => {
    const boots = registered === providers.length
    const provider = providers[boots ? booted : registered]
    active = undefined
    if (closing || !provider || (boots && !started)) return undefined
    const done = (): Promise<void> | undefined => {
      if (boots) booted++
      else registered++
      return advance()
    }
    busy = true
    try {
      return whenResolved(boots ? provider.boot?.() : provider.register?.(), done) as Promise<void> | undefined
    } finally {
      busy = false
    }
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
