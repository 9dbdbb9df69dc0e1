/** A path in OpenAPI syntax. */
export interface Template {
  /** `/users/{id}` */
  readonly path: string
  /** Its parameters: the name in the document, and the one in the pattern. */
  readonly names: readonly (readonly [name: string, own: string, wildcard: boolean])[]
}

/**
 * Converts patterns to OpenAPI paths. For OpenAPI, two paths that differ only in the names of parameters are the same,
 * so the first route defines the names, and later ones use them.
 */
export const createPaths = (): ((pattern: string) => Template) => {
  const namesByShape = new Map<string, string[]>()
  return (pattern) => {
    const segments = pattern.split('/')
    const ownNames = segments.filter(isParameter).map((segment) => segment.slice(1) || 'wildcard')
    const shape = segments.map((segment) => (isParameter(segment) ? '{}' : segment)).join('/')
    const names = namesByShape.get(shape) ?? ownNames
    namesByShape.set(shape, names)
    let at = 0
    const path = segments.map((segment) => (isParameter(segment) ? `{${names[at++]}}` : segment)).join('/')
    const isWildcard = segments.at(-1)!.startsWith('*')
    return {
      path,
      names: ownNames.map((name, index) => [names[index]!, name, isWildcard && index === ownNames.length - 1] as const),
    }
  }
}

const isParameter = (segment: string): boolean => /^[:*]/.test(segment)

/** Words of a method and a path as one name: `getUsersId`. */
export const operationName = (method: string, path: string): string =>
  method + (path.match(/[A-Za-z0-9]+/g) ?? ['Root']).map((word) => word[0]!.toUpperCase() + word.slice(1)).join('')
