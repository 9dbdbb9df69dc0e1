/// <reference lib="esnext.disposable" preserve="true" />
import { DEV } from '#mode'
import { resolveBinding } from '../internal/container/calls.ts'
import type { Container, Factory, Token } from './container.ts'

/**
 * Add a second name for a binding.
 *
 * @example
 * alias(container, 'database', 'db')
 * container.make('database') === container.make('db')
 */
export const alias = <T = unknown>(container: Container, name: string, target: string | Token<T>): void => {
  container.bind(name, (view) => view.make(target))
}

/** One binding name for each argument of a constructor. */
export type BindingNames<Arguments extends readonly unknown[]> = {
  readonly [Index in keyof Arguments]: string | Token<Arguments[Index]>
}

/**
 * A factory that constructs a class from the values of other names.
 *
 * @example
 * container.singleton('mailer', construct(Mailer, 'smtp', 'log'))
 */
export const construct =
  <Arguments extends readonly unknown[], T>(
    Class: new (...values: Arguments) => T,
    ...names: BindingNames<Arguments>
  ): Factory<T> =>
  (container) =>
    new Class(...(names.map((name) => container.make(name as string)) as unknown as Arguments))

/**
 * Bind a name to a class: each `make` constructs one. Use {@link construct} with `singleton` for one instance.
 *
 * @example
 * bindClass(container, 'mailer', Mailer, 'smtp', 'log')
 */
export const bindClass = <Arguments extends readonly unknown[], T>(
  container: Container,
  name: string | Token<T>,
  Class: new (...values: Arguments) => T,
  ...names: BindingNames<Arguments>
): void => {
  container.bind(name, construct(Class, ...names))
}

/**
 * Wrap the value of a name each time it is made: once for a singleton, even if its value already exists.
 *
 * @throws {Error} when nothing is bound to the name
 * @example
 * extend(container, 'mailer', (mailer: Mailer, c) => withLog(mailer, c.make('log')))
 */
export const extend = <T>(
  container: Container,
  name: string | Token<T>,
  wrap: (value: T, container: Container) => T,
): void => {
  const inner = container.find(name)
  if (!inner) return void container.make(name)
  const factory = (view: Container): T => wrap((DEV ? resolveBinding(view, inner) : inner.resolve(view)) as T, view)
  container.set(name, factory, inner.lifetime.outer ?? inner.lifetime)
}

/**
 * Remove a binding and the value made for it.
 *
 * @returns true when there was one
 * @example
 * forget(container, 'mailer')
 */
export const forget = (container: Container, name: string): boolean => container.bindings.delete(name)

/**
 * The value of a binding whose factory may be asynchronous. All calls while it is being made share one promise. A
 * rejected promise is not kept, so the next call tries again.
 *
 * @throws rejects where `make` throws: nothing is bound, or there is a cycle
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
  return container.make(name)
}

/** Restores the earlier binding. */
export interface Restore {
  (): void
  [Symbol.dispose](): void
}

/**
 * Bind a name to another value until it is restored: for tests.
 *
 * @returns a function that restores the earlier binding with its value; `using` calls it too
 * @example
 * const restore = override(app.container, 'mailer', { send: vi.fn() })
 * afterEach(restore)
 */
export const override = <T>(container: Container, name: string | Token<T>, value: T): Restore => {
  const previous = container.bindings.get(name)
  container.instance(name, value)
  const restore = (): void => {
    if (previous) container.bindings.set(name, previous)
    else container.bindings.delete(name)
  }
  return Object.assign(restore, { [Symbol.dispose]: restore })
}
