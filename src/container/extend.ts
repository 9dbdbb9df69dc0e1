import { DEV } from '#mode'
import { resolveBinding } from '../internal/container/calls.ts'
import type { Container, Token } from './container.ts'

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
  if (inner === undefined) {
    container.make(name)
    return
  }
  container.set(
    name,
    (asked) => wrap((DEV ? resolveBinding(asked, inner) : inner.resolve(asked)) as T, asked),
    inner.lifetime.outer ?? inner.lifetime,
  )
}
