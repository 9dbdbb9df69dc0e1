/** Reason phrases of the most frequent error statuses (RFC 9110 §15, RFC 6585 §4). */
export const ERROR_REASONS: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  409: 'Conflict',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
}

/** The reason phrase of an error status. */
export const reasonOf = (status: number): string => ERROR_REASONS[status] ?? `Error ${status}`
