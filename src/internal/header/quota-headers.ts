import { checkOption } from '../options/check.ts'
import type { FieldList, ResponseEdit } from '../types/context.ts'

/** The drafts of "RateLimit header fields for HTTP" (draft-ietf-httpapi-ratelimit-headers) in use. */
export type HeaderDraft = 'draft-6' | 'draft-7' | 'draft-8'

/** The quota of a limiter, and its headers. */
export interface Quota {
  readonly max: number
  readonly windowMs: number
  readonly name: string
  readonly standardHeaders?: boolean | HeaderDraft
  readonly legacyHeaders?: boolean
}

/**
 * Returns the edits that announce the requests that are left, and the reset in seconds and in milliseconds since 1970:
 * the headers of draft 6 or of `standardHeaders`, and optionally `X-RateLimit-*`.
 */
export const quotaHeaders = (
  quota: Quota,
): ((left: number, seconds: number, reset: number) => (FieldList | ResponseEdit)[]) => {
  const { max, windowMs, name, standardHeaders = true, legacyHeaders } = quota
  const draft = standardHeaders && (standardHeaders === true ? 6 : Number(/^draft-([678])$/.exec(standardHeaders)?.[1]))
  // A name that needs no escaping between quotes (RFC 9651 §3.3.3)
  checkOption(/^[ !#-[\]-~]+$/.test(name), 'rateLimiter: name', 'printable ASCII without quotes', name)
  const drafts = 'a boolean, "draft-6", "draft-7" or "draft-8"'
  checkOption(standardHeaders === false || draft, 'rateLimiter: standardHeaders', drafts, standardHeaders)
  const window = `w=${Math.ceil(windowMs / 1000)}`

  return (left, seconds, reset) => {
    const fields: string[] = draft && draft < 8 ? ['ratelimit-policy', `${max};${window}`] : []
    const add = (prefix: string, end: number): unknown =>
      fields.push(`${prefix}limit`, `${max}`, `${prefix}remaining`, `${left}`, `${prefix}reset`, `${end}`)
    if (draft === 6) add('ratelimit-', seconds)
    if (draft === 7) fields.push('ratelimit', `limit=${max}, remaining=${left}, reset=${seconds}`)
    if (legacyHeaders) add('x-ratelimit-', Math.ceil(reset / 1000))
    if (draft !== 8) return [fields]
    // Lists of quotas: each limiter in the chain adds its own
    const append = ({ headers }: Response): void => {
      headers.append('ratelimit-policy', `"${name}";q=${max};${window}`)
      headers.append('ratelimit', `"${name}";r=${left};t=${seconds}`)
    }
    return [append, fields]
  }
}
