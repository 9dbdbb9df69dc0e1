import { DEV } from '#mode'
import { resolveBinding, withCycleCheck } from '../internal/container/calls.ts'
import { checkOption } from '../internal/options/check.ts'
import { didYouMean } from '../internal/options/suggest.ts'

declare const VALUE: unique symbol

/** The name of a binding, with the type of its value. Created by {@link token}. */
export type Token<T> = string & { readonly [VALUE]: T }

/** Makes the value of a binding. Its argument is a view of the container or scope that `make` was called on. */
export type Factory<T> = (container: Container) => T

/** How long a value is kept: wraps a factory into the function that `make` calls. */
export interface Lifetime {
  <T>(factory: Factory<T>, owner: Container): Factory<T>
  /** Lifetime of what `extend` wraps around such a value. @default the same */
  readonly outer?: Lifetime
}

/** The entry of a container for a name. */
export interface Binding {
  readonly name: string
  readonly lifetime: Lifetime
  resolve: Factory<unknown>
}

/**
 * Named values and the factories that make them, without reflection or decorators. Functions of `sluice/container`
 * work on it: `alias`, `bindClass`, `createScope`, `extend`, `forget`, `makeAsync`, `override`.
 *
 * @typeParam Known names bound by chaining, with the types of their values
 * @example
 * const container = new Container().instance('url', ':memory:').singleton('db', (c) => open(c.make('url')))
 * container.make('db')
 */
export class Container<Known extends object = {}> {
  /** Bindings of this container by name. For the functions of `sluice/container`. */
  readonly bindings: Map<string, Binding> = new Map()

  /** Bind a name to an existing value. */
  instance<T>(name: Token<T>, value: T): this
  instance<const N extends string, T>(name: N, value: T): Container<With<Known, N, T>>
  instance(name: string, value: unknown): unknown {
    return this.singleton(name, () => value)
  }

  /** Bind a name to a factory that runs at each `make`. For classes, see `bindClass`. */
  bind<T>(name: Token<T>, factory: Factory<T>): this
  bind<const N extends string, T>(name: N, factory: Factory<T>): Container<With<Known, N, T>>
  bind(name: string, factory: Factory<unknown>): unknown {
    return this.set(name, factory, makeEach)
  }

  /** Bind a name to a factory that runs at the first `make`, and again only if it threw or its promise rejected. */
  singleton<T>(name: Token<T>, factory: Factory<T>): this
  singleton<const N extends string, T>(name: N, factory: Factory<T>): Container<With<Known, N, T>>
  singleton(name: string, factory: Factory<unknown>): unknown {
    return this.set(name, factory, makeOnce)
  }

  /** True when the name is bound. */
  has(name: string): boolean {
    return this.find(name) !== undefined
  }

  /**
   * The value bound to a name.
   *
   * @throws {Error} if nothing is bound to it, with near matches, and if it depends on itself, with the path
   * `a -> b -> a`. After an `await`, a cycle is found only if factories get values from their argument.
   */
  make<N extends string & keyof Known>(name: N): Known[N]
  make<T>(token: Token<T>): T
  make<T = unknown>(name: string): T
  make(name: string): unknown {
    const binding = this.find(name)
    if (!binding) throw new Error(`Nothing is bound to "${name}".${DEV ? didYouMean(name, this.names()) : ''}`)
    return DEV ? resolveBinding(this, binding) : binding.resolve(this)
  }

  /** Bind a name with a {@link Lifetime}, in place of an earlier binding. For the functions of `sluice/container`. */
  set(name: string, factory: Factory<unknown>, lifetime: Lifetime): this {
    if (DEV) checkOption(typeof factory === 'function', `container: ${name}`, 'a function', factory)
    const binding: Binding = { name, lifetime, resolve: factory }
    binding.resolve = lifetime(DEV ? withCycleCheck(binding, factory) : factory, this)
    this.bindings.set(name, binding)
    return this
  }

  /** The binding of a name; a scope also looks in its parent. For the functions of `sluice/container`. */
  find(name: string): Binding | undefined {
    return this.bindings.get(name)
  }

  /** All names that can be made. */
  names(): string[] {
    return [...this.bindings.keys()]
  }
}

/**
 * A name that carries the type of its value. Two tokens of one name are equal.
 *
 * @example
 * const db = token<Database>('db')
 * container.make(db) // Database
 */
export const token = <T>(name: string): Token<T> => name as Token<T>

type With<Known extends object, N extends string, T> = {} extends Known
  ? { [K in N]: T }
  : Omit<Known, N> & { [K in N]: T }

const makeEach: Lifetime = (factory) => factory

/** The value belongs to the container that has the binding, so it cannot depend on one with a shorter lifetime. */
const makeOnce: Lifetime = (factory, owner) => {
  let isMade = false
  let value: ReturnType<typeof factory>
  return () => {
    if (isMade) return value
    value = factory(owner)
    isMade = true
    if (value instanceof Promise) {
      value.catch(() => {
        isMade = false
      })
    }
    return value
  }
}
