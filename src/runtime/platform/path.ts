/** Cut the path out of an absolute URL without parsing it. */
export const pathOf = ({ url }: Request): string => {
  const start = url.indexOf('/', url.indexOf(':') + 3)
  const end = url.slice(start).search(/[?#]/)
  return url.slice(start, end < 0 ? undefined : start + end)
}

/** Cut the query out of an absolute URL, with or without its question mark. */
export const searchOf = ({ url }: Request): string => /\?([^#]*)/.exec(url)?.[1] ?? ''

export const headerOf = (request: Request, name: string): string | null => request.headers.get(name)
