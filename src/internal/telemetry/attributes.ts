/** The methods of RFC 9110 §9, PATCH (RFC 5789) and QUERY: all others are unknown. */
const METHODS = /^(GET|HEAD|POST|PUT|DELETE|CONNECT|OPTIONS|TRACE|PATCH|QUERY)$/

/** Replaces an unknown value. */
export const OTHER = '_OTHER'

/** A method for telemetry: clients cannot create further values. */
export const methodOf = (method: string): string => (METHODS.test(method) ? method : OTHER)

/** Scheme of a request's URL. */
export const schemeOf = ({ url }: Request): string => url.slice(0, url.indexOf(':'))

/** Names of classes. */
const NAME = /^[A-Z][\w$.]{0,63}$/i

/** `error.type`: the name of the thrown error, else the status. Only statuses from 500 on count as errors. */
export const errorTypeOf = (error: unknown, status: number): string | undefined => {
  if (status < 500) return undefined
  try {
    if (error instanceof Error && NAME.test(error.name)) return error.name
  } catch {
    // The name of the error cannot be read
  }
  return `${status}`
}
