/** The methods of RFC 9110 §9, PATCH (RFC 5789) and QUERY: any other could be anything. */
const METHODS = /^(GET|HEAD|POST|PUT|DELETE|CONNECT|OPTIONS|TRACE|PATCH|QUERY)$/

/** What stands for a value that is not among the known ones. */
export const OTHER = '_OTHER'

/** A method as telemetry names it: a client cannot make further ones. */
export const methodOf = (method: string): string => (METHODS.test(method) ? method : OTHER)

/** Scheme of a request's URL. */
export const schemeOf = ({ url }: Request): string => url.slice(0, url.indexOf(':'))

/** Names of classes. */
const NAME = /^[A-Z][\w$.]{0,63}$/i

/** What went wrong: the name of the error that was thrown, else the status. Only statuses from 500 on are faults here. */
export const errorTypeOf = (error: unknown, status: number): string | undefined => {
  if (status < 500) return undefined
  try {
    if (error instanceof Error && NAME.test(error.name)) return error.name
  } catch {
    // Its name cannot be read
  }
  return `${status}`
}
