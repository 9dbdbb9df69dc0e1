/** Add a field name to `Vary`: a name that is there twice means the same. */
export const appendVary = (headers: Headers, name: string): void => headers.append('vary', name)
