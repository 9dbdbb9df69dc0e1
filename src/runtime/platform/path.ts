export const pathOf = ({ url }: Request): string => pathIn(url, url.indexOf('/', url.indexOf(':') + 3))

export const pathIn = (url: string, start: number): string => upTo('?', upTo('#', url), start)

/** Cut the query out of an absolute URL, without its question mark. */
export const searchOf = (request: Request): string => {
  const url = upTo('#', request.url)
  return url.slice(url.indexOf('?') + 1 || url.length)
}

/** `indexOf` costs a third of a regular expression (Bun, Deno), and this runs for every request. */
const upTo = (mark: string, url: string, start = 0): string => {
  const end = url.indexOf(mark, start)
  return url.slice(start, end < 0 ? url.length : end)
}

export const headerOf = (request: Request, name: string): string | null => request.headers.get(name)
