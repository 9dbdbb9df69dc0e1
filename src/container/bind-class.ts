import type { Container, Factory, Token } from './container.ts'

/** One binding name for each argument of a constructor. */
export type Names<Arguments extends readonly unknown[]> = {
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
    ...names: Names<Arguments>
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
  ...names: Names<Arguments>
): void => {
  container.bind(name, construct(Class, ...names))
}
