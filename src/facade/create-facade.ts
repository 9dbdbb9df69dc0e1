import type { Container } from '../container/container.ts'
import { facadeContainer, runWithContainer } from '../internal/container/facade-root.ts'

export { setFacadeContainer } from '../internal/container/facade-root.ts'

/**
 * A stand-in for the container entry with a name, looked up on each access. Methods are bound to the entry. A facade
 * prints and serialises like its entry, and is not thenable.
 *
 * @throws {Error} on access while no application exists, or nothing is bound to the name
 * @example
 * export const Mail = createFacade<Mailer>('mailer')
 * await Mail.send('ann@example.com', 'Hello')
 */
export const createFacade = <T extends object>(name: string): T => {
  const entry = (): T => {
    const container = facadeContainer()
    if (container) return container.make<T>(name)
    const hint = 'call createApp() or setFacadeContainer(container) first'
    throw new Error(`Facade "${name}" has no application container: ${hint}`)
  }
  return new Proxy<T>({ facade: name } as T, {
    get(_, key) {
      // Printers, `await` and `JSON.stringify` read such properties of any object, even without an application
      const isProbe = typeof key === 'symbol' || key === 'toJSON'
      if (key === 'then' || (isProbe && !facadeContainer())) return undefined
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
    getPrototypeOf: (target) => Reflect.getPrototypeOf(facadeContainer() ? entry() : target),
    ownKeys: () => Reflect.ownKeys(entry()),
    getOwnPropertyDescriptor(_, key) {
      const descriptor = Reflect.getOwnPropertyDescriptor(entry(), key)
      return descriptor && { ...descriptor, configurable: true }
    },
  })
}

/**
 * Run a function in which facades use the container of one application, even after an `await`.
 *
 * @returns what the function returns
 * @throws {Error} for an asynchronous function on a runtime without `AsyncLocalStorage`
 * @example
 * await withFacades(app, async () => Config.get('app.name'))
 */
export const withFacades = <T>(app: { readonly container: Container }, run: () => T): T =>
  runWithContainer(app.container, run)
