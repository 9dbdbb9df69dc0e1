import type { Container, Token } from '../container.ts'

/**
 * Let a second name give what the first gives.
 *
 * @example
 * alias(container, 'database', 'db')
 * container.make('database') === container.make('db')
 */
export const alias = <T = unknown>(container: Container, name: string, target: string | Token<T>): void => {
  container.bind(name, (asked) => asked.make(target))
}
