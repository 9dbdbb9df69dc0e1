/// <reference lib="esnext.disposable" preserve="true" />
import type { Container, Token } from './container.ts'

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
    if (previous === undefined) container.bindings.delete(name)
    else container.bindings.set(name, previous)
  }
  return Object.assign(restore, { [Symbol.dispose]: restore })
}
