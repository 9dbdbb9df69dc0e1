import { asyncLocal } from '#runtime/core'
import type { Container } from '../container/container.ts'
import { type AsyncLocal, facadeContainer, readScopedWith } from '../internal/container/facade-root.ts'

export { setFacadeContainer } from '../internal/container/facade-root.ts'

/**
 * A stand-in for the container entry with a name, looked up on each access.
 *
 * Methods are bound to the entry; a facade is not thenable, and prints and serialises like its entry.
 *
 * @throws {Error} on access while no application exists, or nothing is bound to the name
 * @example
 * export const Mail = createFacade<Mailer>('mailer')
 * await Mail.send('ann@example.com', 'Hello')
 */
export const createFacade = <T extends object>(name: string): T => {
  const entry = (): T => {
    const container = facadeContainer()
    if (container === undefined) {
      throw new Error(
        `Facade "${name}" has no application container: call createApp() or setFacadeContainer(container) first`,
      )
    }
    return container.make<T>(name)
  }
  return new Proxy<T>({ facade: name } as T, handlerFor(entry))
}

/**
 * Run a function in which facades use the container of one application, even after an `await`, and whatever runs
 * concurrently.
 *
 * @returns what the function returns
 * @throws {Error} for an asynchronous function on a runtime without `AsyncLocalStorage`
 * @example
 * await withFacades(app, async () => Config.get('app.name'))
 */
export const withFacades = <T>(app: { readonly container: Container }, run: () => T): T => {
  if (local === undefined) {
    local = asyncLocal<Container>()
    readScopedWith(local.getStore.bind(local))
  }
  return local.run(app.container, run)
}

let local: AsyncLocal<Container> | undefined

/**
 * Properties that printers, `await` and `JSON.stringify` read from any object: these work without an application too.
 */
const isProbe = (key: PropertyKey): boolean => typeof key === 'symbol' || key === 'toJSON'

const handlerFor = <T extends object>(entry: () => T): ProxyHandler<T> => ({
  get(_, key) {
    if (key === 'then' || (isProbe(key) && facadeContainer() === undefined)) return undefined
    const target = entry()
    const value: unknown = Reflect.get(target, key, target)
    return typeof value === 'function' ? value.bind(target) : value
  },
  set(_, key, value) {
    const target = entry()
    return Reflect.set(target, key, value, target)
  },
  has: (_, key) => key !== 'then' && Reflect.has(entry(), key),
  deleteProperty: (_, key) => Reflect.deleteProperty(entry(), key),
  getPrototypeOf: (own) => Reflect.getPrototypeOf(facadeContainer() === undefined ? own : entry()),
  ownKeys: () => Reflect.ownKeys(entry()),
  getOwnPropertyDescriptor(_, key) {
    const descriptor = Reflect.getOwnPropertyDescriptor(entry(), key)
    return descriptor && { ...descriptor, configurable: true }
  },
})
