/**
 * Add a field name to `Vary`, unless the header already has it, in upper or lower case, or is `*` (RFC 9110 §12.5.5).
 */
export const appendVary = (headers: Headers, name: string): void => {
  const current = headers.get('vary')
  headers.set('vary', current ? mergeVary(current, name) : name)
}

/** The list with the name added if it is missing. */
export const mergeVary = (current: string, name: string): string => {
  const names = current
    .toLowerCase()
    .split(',')
    .map((known) => known.trim())
  return names.includes('*') || names.includes(name.toLowerCase()) ? current : `${current}, ${name}`
}
