/** `URL.canParse`, which the runtime of Fastly does not have. */
export const canParse = (url: string | URL, base?: string | URL): boolean => {
  try {
    return !!new URL(url, base)
  } catch {
    return false
  }
}
