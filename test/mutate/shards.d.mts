/** A part of the source, and the tests that are related to it. */
export interface Shard {
  readonly folders: readonly string[]
  readonly tests: readonly string[]
}
export declare const SHARDS: Readonly<Record<string, Shard>>
