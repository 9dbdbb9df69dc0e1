import { MAX_MEMBERS, type Preference } from './internal/header/accept.ts'
import { parseParameterized } from './internal/header/media-type.ts'
import { checkOption } from './internal/options/check.ts'
import type { AnyContext } from './internal/types/context.ts'
import { addEdit } from './kernel/edits.ts'

const SHORT: Readonly<Record<string, string>> = {
  css: 'text/css',
  csv: 'text/csv',
  form: 'application/x-www-form-urlencoded',
  html: 'text/html',
  js: 'text/javascript',
  json: 'application/json',
  multipart: 'multipart/form-data',
  pdf: 'application/pdf',
  png: 'image/png',
  svg: 'image/svg+xml',
  text: 'text/plain',
  txt: 'text/plain',
  xml: 'application/xml',
}

/**
 * The media type that the client prefers from those that you offer (RFC 9110 §12.5.1): by weight, then by how specific
 * the client's range is, then by the client's order, then by yours. Adds `Accept` to `Vary`. Reads at most 100 members.
 *
 * @param types media types, or short names such as `json`, `html`, `text`, `xml`, `csv`; returned unchanged
 * @returns `undefined` if it accepts none of them: respond with 406, or with what you have
 * @throws {TypeError} for a name that is neither.
 * @example
 * accepts(ctx, ['json', 'html']) === 'html' ? html(page) : json(data)
 */
export const accepts = <const T extends string>(ctx: AnyContext, types: readonly T[]): T | undefined => {
  const offers = types.map((name) => {
    const parsed = parseParameterized(Object.hasOwn(SHORT, name) ? SHORT[name]! : name)
    checkOption(parsed?.value.includes('/'), 'accepts: types', 'media types, or names such as "json"', name)
    const [type, subtype] = parsed!.value.split('/')
    return { type, subtype, params: parsed!.params }
  })
  const ranges = preferencesOf(ctx.header('accept') ?? '*/*').map(({ value, params, q }) => {
    const [type, subtype] = value.split('/')
    return { q, type, subtype, named: Object.entries(params).filter(([name]) => name !== 'q') }
  })
  return choose(ctx, 'Accept', ranges, types, ({ type, subtype, named }, at) => {
    const offer = offers[at]!
    if ((type !== '*' && type !== offer.type) || (subtype !== '*' && subtype !== offer.subtype)) return -1
    if (named.some(([name, text]) => text !== '*' && offer.params[name]?.toLowerCase() !== text.toLowerCase()))
      return -1
    return (type === '*' ? 0 : 4) + (subtype === '*' ? 0 : 2) + (named.length ? 1 : 0)
  })
}

/**
 * The coding that the client prefers from those that you offer (RFC 9110 §12.5.3). `identity` is acceptable unless the
 * client refuses it, and is preferred least. Adds `Accept-Encoding` to `Vary`.
 *
 * @example
 * acceptsEncodings(ctx, ['br', 'gzip', 'identity'])
 */
export const acceptsEncodings = <const T extends string>(ctx: AnyContext, codings: readonly T[]): T | undefined => {
  const preferences = preferencesOf(ctx.header('accept-encoding') ?? '')
  const min = Math.min(1, ...preferences.map(({ q }) => q || 1))
  if (!preferences.some(({ value }) => value === 'identity' || value === '*'))
    preferences.push({ value: 'identity', params: {}, q: min })
  return choose(ctx, 'Accept-Encoding', preferences, codings, ({ value }, at) =>
    value === codings[at]!.toLowerCase() ? 1 : value === '*' ? 0 : -1,
  )
}

/**
 * The language that the client prefers from those that you offer (RFC 9110 §12.5.4): `en` also stands for `en-GB`, and
 * `en-GB` for `en` if nothing fits better. Adds `Accept-Language` to `Vary`.
 *
 * @example
 * acceptsLanguages(ctx, ['en', 'de', 'pt-BR']) ?? 'en'
 */
export const acceptsLanguages = <const T extends string>(ctx: AnyContext, languages: readonly T[]): T | undefined =>
  choose(ctx, 'Accept-Language', preferencesOf(ctx.header('accept-language') ?? '*'), languages, ({ value }, at) => {
    const supported = languages[at]!.toLowerCase()
    if (value === supported) return 4
    if (value.split('-', 1)[0] === supported) return 2
    if (supported.split('-', 1)[0] === value) return 1
    return value === '*' ? 0 : -1
  })

/** The best offer. `closeness` returns how specifically a member of the header names an offer; -1 if it does not. */
const choose = <T extends string, W extends { readonly q: number }>(
  ctx: AnyContext,
  name: string,
  preferences: readonly W[],
  offers: readonly T[],
  closeness: (preference: W, at: number) => number,
): T | undefined => {
  addEdit(ctx, ['vary', name])
  const ranked = offers.flatMap((offer, at) => {
    let best = { offer, q: 0, exact: 0, order: 0 }
    for (const [order, preference] of preferences.entries()) {
      const exact = closeness(preference, at)
      if (exact > best.exact || (exact === best.exact && preference.q >= best.q))
        best = { offer, q: preference.q, exact, order }
    }
    return best.q ? [best] : []
  })
  ranked.sort((a, b) => b.q - a.q || b.exact - a.exact || a.order - b.order)
  return ranked[0]?.offer
}

/** A member of a list: a comma in quotes does not end it (RFC 9110 §5.6.1). */
const MEMBER = /(?:"(?:[^"\\]|\\.)*(?:"|$)|[^",])+/g

/** The first members of a list that keep the grammar, in its order. */
const preferencesOf = (field: string): Preference[] => {
  const preferences: Preference[] = []
  let members = 0
  for (const [member] of field.matchAll(MEMBER)) {
    if (++members > MAX_MEMBERS) break
    const parsed = parseParameterized(member)
    const q = Number(parsed?.params.q ?? 1)
    if (parsed && q >= 0 && q <= 1) preferences.push({ ...parsed, q })
  }
  return preferences
}
