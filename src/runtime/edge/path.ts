/** Path and query of an absolute URL. */
const PARTS = /\/\/[^/?#]*([^?#]*)\??([^#]*)/

/** Cut the path out of an absolute URL without parsing it. */
export const pathOf = ({ url }: Request): string => PARTS.exec(url)![1]!

/** Cut the query out of an absolute URL, without its question mark. */
export const searchOf = ({ url }: Request): string => PARTS.exec(url)![2]!

export const headerOf = (request: Request, name: string): string | null => request.headers.get(name)
