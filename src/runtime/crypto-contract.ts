import type { Awaitable } from '../internal/promise/awaitable.ts'

/** Texts stand for their UTF-8. */
type Data = string | Uint8Array<ArrayBuffer>

/** HMAC-SHA-256 (RFC 2104), as 43 characters of base64url unless `encode` is given. */
export type Hmac = (secret: Data, data: Data, encode?: (bytes: Uint8Array) => string) => Awaitable<string>

/** SHA-256 (FIPS 180-4). */
export type Digest = (data: Uint8Array<ArrayBuffer>) => Awaitable<Uint8Array<ArrayBuffer>>

/** The numbers of scrypt (RFC 7914 §2): 128 · 2^logN · r bytes of memory, and that work p times. */
export interface ScryptCost {
  readonly logN: number
  readonly r: number
  readonly p: number
}

/** A key of `length` bytes. Rejects where the platform has no scrypt. */
export type Scrypt = (password: string, salt: Uint8Array, length: number, cost: ScryptCost) => Promise<Uint8Array>
