/** Cut the path out of an absolute URL without parsing it. */
export const pathOf = (request: Request): string => {
  const url = withoutFragment(request)
  const start = url.indexOf('/', url.indexOf(':') + 3)
  const query = url.indexOf('?', start)
  return query < 0 ? url.slice(start) : url.slice(start, query)
}

/** Cut the query out of an absolute URL, without its question mark. */
export const searchOf = (request: Request): string => {
  const url = withoutFragment(request)
  const query = url.indexOf('?')
  return query < 0 ? '' : url.slice(query + 1)
}

/** `indexOf` costs a third of a regular expression here (Bun, Deno), and every request comes by. */
const withoutFragment = ({ url }: Request): string => {
  const hash = url.indexOf('#')
  return hash < 0 ? url : url.slice(0, hash)
}

export const headerOf = (request: Request, name: string): string | null => request.headers.get(name)
