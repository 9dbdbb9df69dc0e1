/** Add a field name to `Vary`, unless it is there in any case, or the header is `*` (RFC 9110 §12.5.5). */
export const appendVary = (headers: Headers, name: string): void => {
  const current = headers.get('vary')
  headers.set('vary', current ? mergeVary(current, name) : name)
}

export const mergeVary = (current: string, name: string): string => {
  const names = current
    .toLowerCase()
    .split(',')
    .map((member) => member.trim())
  return names.includes('*') || names.includes(name.toLowerCase()) ? current : `${current}, ${name}`
}
