import type { Container, Token } from './container.ts'

/**
 * Add a second name for a binding.
 *
 * @example
 * alias(container, 'database', 'db')
 * container.make('database') === container.make('db')
 */
export const alias = <T = unknown>(container: Container, name: string, target: string | Token<T>): void => {
  container.bind(name, (asked) => asked.make(target))
}
