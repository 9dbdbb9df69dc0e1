/// <reference lib="esnext.disposable" preserve="true" />
import { type Binding, Container, type Factory, type Lifetime, type Token } from './container.ts'

/** Disposes of a value of a scope. */
export type Dispose<T> = (value: T) => void | Promise<void>

/** A container that finds unknown names in its parent, and keeps the values of {@link scoped} names until it ends. */
export class Scope<Known extends object = {}> extends Container<Known> {
  private readonly parent: Container
  private readonly made: Map<Factory<unknown>, unknown> = new Map()
  private readonly endings: (() => void | Promise<void>)[] = []
  private disposed: Promise<void> | undefined

  constructor(parent: Container) {
    super()
    this.parent = parent
  }

  override find(name: string): Binding | undefined {
    return super.find(name) ?? this.parent.find(name)
  }

  override names(): string[] {
    return [...this.parent.names(), ...super.names()]
  }

  /** The value of a scoped factory, made once in this scope, unless its promise rejected. For {@link scoped}. */
  keep<T>(factory: Factory<T>, dispose: Dispose<Awaited<T>>): T {
    if (this.disposed) throw new Error('This scope has been disposed of')
    if (this.made.has(factory)) return this.made.get(factory) as T
    const value = factory(this)
    this.made.set(factory, value)
    // As for singletons, a rejected promise is not kept: there is nothing to dispose of
    if (value instanceof Promise) value.catch(() => this.made.delete(factory))
    this.endings.push(() => Promise.resolve(value).then(dispose, () => {}))
    return value
  }

  /** Dispose of its values once, the newest first. @throws at the end the error, or an `AggregateError` of several */
  dispose(): Promise<void> {
    this.disposed ??= endAll(this.endings)
    return this.disposed
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.dispose()
  }
}

/**
 * Create a container with a shorter lifetime below another: for one request, one job, one test.
 *
 * @example
 * await using scope = createScope(app.container)
 * scope.make('transaction')
 */
export const createScope = <Known extends object>(parent: Container<Known>): Scope<Known> => new Scope(parent)

/**
 * Bind a name to a value that is made once in each scope. Outside a scope `make` throws, because the value would live
 * longer.
 *
 * @param dispose called with the value when its scope ends; by default its `Symbol.asyncDispose` or `Symbol.dispose`
 * @example
 * scoped(container, 'transaction', (c) => c.make('db').begin(), (transaction) => transaction.end())
 */
export const scoped = <T>(
  container: Container,
  name: string | Token<T>,
  factory: Factory<T>,
  dispose: Dispose<Awaited<T>> = disposeOf,
): void => {
  container.set(name, factory, perScope(name, dispose as Dispose<unknown>))
}

const perScope = (name: string, dispose: Dispose<unknown>): Lifetime => {
  const lifetime: Lifetime = (factory) => (container) => {
    if (container instanceof Scope) return container.keep(factory, dispose)
    throw new Error(`"${name}" is scoped: ask a scope for it, createScope(container).make("${name}")`)
  }
  // Only the value itself is disposed of, and not what `extend` wraps around it
  return Object.assign(lifetime, dispose === doNothing ? {} : { outer: perScope(name, doNothing) })
}

const doNothing = (): void => {}

const disposeOf = (value: unknown): void | Promise<void> => {
  const disposable = value as Partial<AsyncDisposable & Disposable> | null | undefined
  return (disposable?.[Symbol.asyncDispose] ?? disposable?.[Symbol.dispose])?.call(disposable) as void | Promise<void>
}

const endAll = async (endings: (() => void | Promise<void>)[]): Promise<void> => {
  const errors: unknown[] = []
  for (const end of endings.reverse()) {
    try {
      await end()
    } catch (error) {
      errors.push(error)
    }
  }
  if (errors.length > 1) throw new AggregateError(errors, 'Several values could not be disposed of')
  if (errors.length > 0) throw errors[0]
}
