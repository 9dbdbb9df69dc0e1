/**
 * Pass a value through functions: each takes the result of the previous one.
 *
 * @example
 * const fetch = pipe(blank, use(cors()), route('GET', '/', () => text('hello')), toFetch)
 */
export const pipe: Pipe = (value: unknown, ...steps: ((value: never) => unknown)[]): never =>
  steps.reduce((current, step) => step(current as never), value) as never

/** The types of {@link pipe}: each step takes the result of the previous one. */
// biome-ignore format: a line for each number of steps
export interface Pipe {
  <A>(value: A): A
  <A, B>(value: A, ab: (value: A) => B): B
  <A, B, C>(value: A, ab: (value: A) => B, bc: (value: B) => C): C
  <A, B, C, D>(value: A, ab: (value: A) => B, bc: (value: B) => C, cd: (value: C) => D): D
  <A, B, C, D, E>(value: A, ab: (value: A) => B, bc: (value: B) => C, cd: (value: C) => D, de: (value: D) => E): E
  <A, B, C, D, E, F>(value: A, ab: (value: A) => B, bc: (value: B) => C, cd: (value: C) => D, de: (value: D) => E, ef: (value: E) => F): F
  <A, B, C, D, E, F, G>(value: A, ab: (value: A) => B, bc: (value: B) => C, cd: (value: C) => D, de: (value: D) => E, ef: (value: E) => F, fg: (value: F) => G): G
  <A, B, C, D, E, F, G, H>(value: A, ab: (value: A) => B, bc: (value: B) => C, cd: (value: C) => D, de: (value: D) => E, ef: (value: E) => F, fg: (value: F) => G, gh: (value: G) => H): H
  <A, B, C, D, E, F, G, H, I>(value: A, ab: (value: A) => B, bc: (value: B) => C, cd: (value: C) => D, de: (value: D) => E, ef: (value: E) => F, fg: (value: F) => G, gh: (value: G) => H, hi: (value: H) => I): I
  <A, B, C, D, E, F, G, H, I, J>(value: A, ab: (value: A) => B, bc: (value: B) => C, cd: (value: C) => D, de: (value: D) => E, ef: (value: E) => F, fg: (value: F) => G, gh: (value: G) => H, hi: (value: H) => I, ij: (value: I) => J): J
  <A, B, C, D, E, F, G, H, I, J, K>(value: A, ab: (value: A) => B, bc: (value: B) => C, cd: (value: C) => D, de: (value: D) => E, ef: (value: E) => F, fg: (value: F) => G, gh: (value: G) => H, hi: (value: H) => I, ij: (value: I) => J, jk: (value: J) => K): K
  <A, B, C, D, E, F, G, H, I, J, K, L>(value: A, ab: (value: A) => B, bc: (value: B) => C, cd: (value: C) => D, de: (value: D) => E, ef: (value: E) => F, fg: (value: F) => G, gh: (value: G) => H, hi: (value: H) => I, ij: (value: I) => J, jk: (value: J) => K, kl: (value: K) => L): L
}
