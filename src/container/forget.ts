import type { Container } from './container.ts'

/**
 * Remove a binding and the value made for it.
 *
 * @returns true when there was one
 * @example
 * forget(container, 'mailer')
 */
export const forget = (container: Container, name: string): boolean => container.bindings.delete(name)
