import { toBase64 } from '../crypto/encoding.ts'
import { endToEnd } from '../header/hop-by-hop.ts'
import type { LambdaShape } from './lambda-request.ts'

/** Status and fields of a response, in the format of the event. */
export interface LambdaHead {
  readonly statusCode: number
  readonly statusDescription?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly multiValueHeaders?: Readonly<Record<string, readonly string[]>>
  readonly cookies?: readonly string[]
}

/** A response as API Gateway, a load balancer or a function URL takes it from a function. */
export interface LambdaResult extends LambdaHead {
  readonly body: string
  readonly isBase64Encoded: boolean
}

/** @throws the error of the body's stream. */
export const toResult = async (response: Response, shape: LambdaShape): Promise<LambdaResult> => {
  const bytes = new Uint8Array(await response.arrayBuffer())
  const text = textOf(bytes)
  return { ...toHead(response, shape), body: text ?? toBase64(bytes), isBase64Encoded: text === undefined }
}

/** Several cookies need a separate member, which differs by format. */
export const toHead = ({ status: statusCode, statusText, headers }: Response, shape: LambdaShape): LambdaHead => {
  const cookies = headers.getSetCookie()
  const fields = endToEnd(headers).filter(([name]) => name !== 'set-cookie')
  const single = Object.fromEntries(fields)
  if (shape === 'v2') return { statusCode, headers: single, ...(cookies.length && { cookies }) }
  const lists = cookies.length ? { 'set-cookie': cookies } : undefined
  if (shape === 'v1') return { statusCode, headers: single, ...(lists && { multiValueHeaders: lists }) }
  const statusDescription = `${statusCode} ${statusText}`
  if (shape === 'alb-lists') {
    const multiValueHeaders = { ...Object.fromEntries(fields.map(([name, value]) => [name, [value]])), ...lists }
    return { statusCode, statusDescription, multiValueHeaders }
  }
  const spelledCookies = cookies.map((cookie, index) => [spellCookie(index), cookie])
  return { statusCode, statusDescription, headers: { ...single, ...Object.fromEntries(spelledCookies) } }
}

/**
 * `set-cookie`, `Set-cookie`, `sEt-cookie` …: names that differ in JSON but not in HTTP. Only so can a load balancer
 * that takes one value for each name send a second cookie.
 */
const spellCookie = (index: number): string =>
  Array.from('setcookie', (letter, at) => ((index >> at) & 1 ? letter.toUpperCase() : letter))
    .join('')
    .replace(/(?<=^...)/, '-')

const UTF8 = /* @__PURE__ */ new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Nothing is lost if bytes are UTF-8, even if the content type is not textual. */
const textOf = (bytes: Uint8Array): string | undefined => {
  try {
    return UTF8.decode(bytes)
  } catch {
    return undefined
  }
}
