import { createResponse } from '#runtime/core'
import { toResponse } from './errors.ts'
import { errorResponseOr500 } from './internal/error/error-response.ts'
import { reasonOf } from './internal/error/reason.ts'
import { parseAccept } from './internal/header/accept.ts'
import { checkNames } from './internal/options/check.ts'
import { checkNoPromise } from './internal/promise/check-no-promise.ts'
import type { Context } from './internal/types/context.ts'

/** Options of {@link problemJson}. */
export interface ProblemJsonOptions {
  /** URI that names the kind of problem, from the status and the error's `code`. @default () => 'about:blank' */
  readonly type?: (status: number, code: string | undefined) => string
  /** Use this format only for clients whose `Accept` names `application/problem+json`. @default false */
  readonly negotiate?: boolean
}

/** Formats an error, and tells `openapi` its format. */
export interface ProblemFormat {
  (error: unknown, ctx: Context): Response
  /** `negotiated` if other clients get the default format. */
  readonly problemDetails: 'always' | 'negotiated'
}

const TYPE = 'application/problem+json'

/**
 * An `onError` and an `onRefusal` that respond with Problem Details (RFC 9457): `type`, `title`, `status`, `detail`,
 * `instance`, and `errors` for a failed validation.
 *
 * @example
 * createApp({ ...problemJson({ type: (status, code) => `https://errors.example/${code ?? status}` }) })
 */
export const problemJson = (
  options: ProblemJsonOptions = {},
): { readonly onError: ProblemFormat; readonly onRefusal: ProblemFormat } => {
  checkNames('problemJson', options, 'type:function negotiate:boolean')
  const { type = () => 'about:blank', negotiate = false } = options
  const respond = function problemJson(error: unknown, ctx: Context): Response {
    if (negotiate && !asksForProblem(ctx.header('accept'))) return toResponse(error)
    const { status, body, headers } = errorResponseOr500(error)
    const { error: message, issues: errors, ...more }: { error?: string; issues?: object; code?: string } = body
    const title = reasonOf(status)
    const detail = message === title ? undefined : message
    const kind = type(status, more.code)
    checkNoPromise(kind, 'problemJson: type', 'a string')
    const members = {
      type: kind,
      title,
      status,
      ...(detail !== undefined && { detail }),
      instance: ctx.path,
      ...(errors && { errors }),
    }
    // `data` of an error adds members, and replaces none (RFC 9457 §3.2)
    return createResponse(JSON.stringify({ ...members, ...more, ...members }), TYPE, status, headers)
  }
  const format = Object.assign(respond, { problemDetails: negotiate ? 'negotiated' : 'always' } as const)
  return { onError: format, onRefusal: format }
}

const asksForProblem = (accept: string | null): boolean =>
  parseAccept(accept ?? '').some(({ value, q }) => value === TYPE && q > 0)
