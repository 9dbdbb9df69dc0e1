/** `URL.canParse`, which the runtime of Fastly does not have. */
export const canParse = (text: string): boolean => {
  if (URL.canParse) return URL.canParse(text)
  try {
    return !!new URL(text)
  } catch {
    return false
  }
}
