import type { Container, Token } from './container.ts'

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
