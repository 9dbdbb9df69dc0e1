import { readCookie } from '../internal/cookie/cookie-line.ts'
import { parseAccept } from '../internal/header/accept.ts'
import { isToken } from '../internal/header/field-name.ts'
import { checkNames, checkOption } from '../internal/options/check.ts'
import type { Context, Middleware } from '../internal/types/context.ts'
import { addEdit } from '../kernel/edits.ts'

/** A place to look for a language. */
export type LanguageSource = 'path' | 'query' | 'cookie' | 'header'

/** Options of {@link language}. */
export interface LanguageOptions {
  /** Supported languages, as tags (RFC 5646): `['en', 'de-CH']`. */
  readonly supported: readonly string[]
  /** Language of requests that ask for none of them. @default the first of `supported` */
  readonly fallback?: string
  /** Where to look; the first place with a supported language decides. @default ['query', 'cookie', 'header'] */
  readonly order?: readonly LanguageSource[]
  /** Name of the query parameter. @default 'lang' */
  readonly query?: string
  /** Name of the cookie. @default 'lang' */
  readonly cookie?: string
}

/** A language of two or more letters, then subtags; a single letter only in front of one (RFC 5646 §2.1). */
const TAG = /^(?:[a-z]{2,8}|[ix]-[a-z\d]{1,8})(?:-(?:[a-z\d]{2,8}|[a-z\d]-[a-z\d]{1,8}))*$/i

const SOURCES: readonly LanguageSource[] = ['path', 'query', 'cookie', 'header']

/**
 * Choose one of the supported languages: from the path, the query, a cookie or `Accept-Language` (RFC 9110 §12.5.4),
 * with the lookup of RFC 4647 §3.4: `de-CH-1996` finds `de-CH`, then `de`.
 *
 * Writes `ctx.state.language`, spelled as in `supported`. Sends `Vary`, and `Content-Language` unless the handler does.
 *
 * @throws {TypeError} when created, for a bad option.
 * @example
 * app.use(language({ supported: ['en', 'de', 'fr-CH'] })).get('/', (ctx) => ctx.text(greetings[ctx.state.language]))
 */
export const language = (options: LanguageOptions): Middleware<{ language: string }> => {
  checkNames('language', options, 'supported fallback order query:string cookie:string')
  const { supported, order = ['query', 'cookie', 'header'], query = 'lang', cookie = 'lang' } = options
  const isTag = (tag: unknown): boolean => typeof tag === 'string' && TAG.test(tag)
  const isList = Array.isArray(supported) && supported.length && supported.every(isTag)
  checkOption(isList, 'language: supported', 'a list of tags such as ["en", "de-CH"]', supported)
  const { fallback = supported[0]! } = options
  checkOption(supported.includes(fallback), 'language: fallback', 'one of the supported languages', fallback)
  const isOrder = Array.isArray(order) && order.length && order.every((source) => SOURCES.includes(source))
  checkOption(isOrder, 'language: order', `some of ${SOURCES.join(', ')}`, order)
  checkOption(isToken(cookie), 'language: cookie', 'the name of a cookie', cookie)

  const spellings = new Map(supported.map((tag) => [tag.toLowerCase(), tag]))
  const lookUp = (range: string | null | undefined): string | undefined => {
    // RFC 5646 §4.4.1 needs 35 characters
    if (!range || range.length > 64) return undefined
    // RFC 4647 §3.4 also removes a single letter at the end. No supported tag ends with one, so this is not needed
    for (let tag = range.toLowerCase(); tag; tag = tag.slice(0, Math.max(0, tag.lastIndexOf('-')))) {
      const spelling = spellings.get(tag)
      if (spelling) return spelling
    }
    return undefined
  }
  const read: Readonly<Record<LanguageSource, (ctx: Context) => string | undefined>> = {
    path: ({ path, basePath }) => lookUp(path.slice(basePath.length).split('/')[1]),
    query: (ctx) => lookUp(ctx.query.get(query)),
    cookie: (ctx) => lookUp(readCookie(ctx.header('cookie'), cookie)),
    header: (ctx) => {
      for (const { value, q } of parseAccept(ctx.header('accept-language') ?? '')) {
        const match = q > 0 ? lookUp(value) : undefined
        if (match) return match
      }
      return undefined
    },
  }
  const vary = order.includes('header') ? ['vary', 'Accept-Language'] : []
  if (order.includes('cookie')) vary.push('vary', 'Cookie')

  return function language(ctx, next) {
    let chosen: string | undefined
    for (const source of order as readonly LanguageSource[]) chosen ??= read[source](ctx as Context)
    ctx.state.language = chosen ?? fallback
    addEdit(ctx, ['content-language', chosen ?? fallback, ...vary])
    return next()
  }
}
