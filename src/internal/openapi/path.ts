export interface Template {
  /** `/users/{id}` */
  readonly path: string
  /** Its parameters: the name in the document, the one in the pattern, and whether it is the rest of the path. */
  readonly names: readonly (readonly [name: string, ownName: string, isWildcard: boolean])[]
}

/** Paths with other names of parameters are the same path for OpenAPI, so the first route defines the names. */
export const createPaths = (): ((pattern: string) => Template) => {
  const namesByShape = new Map<string, string[]>()
  return (pattern) => {
    const segments = pattern.split('/')
    const ownNames = segments.filter(isParameter).map((segment) => segment.slice(1) || 'wildcard')
    const shape = segments.map((segment) => (isParameter(segment) ? '{}' : segment)).join('/')
    const names = namesByShape.get(shape) ?? ownNames
    namesByShape.set(shape, names)
    const unused = [...names]
    const path = segments.map((segment) => (isParameter(segment) ? `{${unused.shift()}}` : segment)).join('/')
    const last = segments.at(-1)!.startsWith('*') ? ownNames.length - 1 : -1
    return { path, names: ownNames.map((name, index) => [names[index]!, name, index === last] as const) }
  }
}

const isParameter = (segment: string): boolean => /^[:*]/.test(segment)

/** Words of a method and a path as one name: `getUsersId`. */
export const operationName = (method: string, path: string): string =>
  method + (path.match(/[A-Za-z0-9]+/g) ?? ['Root']).map((word) => word[0]!.toUpperCase() + word.slice(1)).join('')
