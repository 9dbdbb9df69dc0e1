import { canParse } from '../client/can-parse.ts'
import { checkOption } from '../options/check.ts'

/** The URL of a target: HTTP, without parts that a request could set. */
export const checkedTarget = (target: string | URL, feature: string): URL => {
  const text = `${target}`
  checkOption(
    /^https?:\/\/[^/?#@\\]+(?:\/[^?#\\]*)?$/.test(text) && canParse(text),
    `${feature}: target`,
    'an address such as "http://127.0.0.1:4000/base"',
    text,
  )
  return new URL(text)
}

/**
 * The URL at the target. A path is set, never resolved, so it cannot select a host. A path with `..` segments, in any
 * encoding, is refused.
 */
export const addressOf = (base: URL, path: string, search: string, prefix: string): URL | undefined => {
  const below = path.startsWith(prefix) ? path.slice(prefix.length) : undefined
  if (below === undefined || (below && !below.startsWith('/')) || climbs(below)) return undefined
  const url = new URL(base)
  const folder = base.pathname.replace(/\/$/, '')
  url.pathname = folder + (below || '/')
  url.search = search
  return url.pathname.startsWith(`${folder}/`) ? url : undefined
}

/** Whether a path has a `..` segment or a backslash, decoded once or twice. */
const climbs = (path: string): boolean => {
  try {
    const once = decodeURIComponent(path)
    return [path, once, decodeURIComponent(once.replace(/%(?![\da-f]{2})/gi, '%25'))].some((text) =>
      /(?:^|[/\\])\.\.?(?:[/\\;]|$)|\\/.test(text),
    )
  } catch {
    return true
  }
}
