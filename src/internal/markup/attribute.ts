import { isPromise } from '../promise/awaitable.ts'
import { appendText, escapeText, isNothing, type Part, RawMarkup, whenHere } from './markup.ts'

/** Attributes whose value is code or a document. The patterns of names here begin with the tag. */
const CODE = / (?:on|srcdoc$)/i

/** Attributes whose value is a URL, also obsolete ones. Of a list of URLs, only the first is checked. */
const URL_NAME =
  /[ :](?:href|src|(?:form)?action|data|poster|cite|background|manifest|longdesc|codebase|(?:image)?srcset|ping)$/i

/** Attributes whose value is a style, and values of SVG animations, which can set the target of a link. */
const STYLE = / style$|^(?:animate.*|set) (?:from|to|by|values)$/i

/** Characters that a URL parser removes at the ends of a URL, or anywhere in it. */
const DROPPED = /[\0-\x20]/g

/** A URL with an allowed scheme, or without one: no colon precedes its path, query or fragment. */
const SAFE_URL = /^(?:(?:https?|mailto|tel|sms|ftp):|[^:/?#]*(?:[/?#]|$))/i

/** Keywords, numbers, units and colours: nothing that can end a declaration, load a URL or call a function. */
const SAFE_STYLE = /^[\w .,%#+-]*$/

interface Attribute {
  readonly tag: string
  readonly name: string
  /** HTML before, between and after the values. */
  readonly statics: readonly string[]
}

/** Write the text between the quotes of an attribute. Promises in the values are awaited. */
export const addValue = (parts: Part[], attribute: Attribute, values: readonly unknown[]): void =>
  whenHere(parts, values.some(isPromise) ? Promise.all(values) : values, (resolved, to) =>
    appendText(to, valueOf(attribute, resolved)),
  )

/** Write an attribute with its quotes, or only its name for `true`. In `aria-` and `data-`, booleans are values. */
export const addAttribute = (parts: Part[], tag: string, name: string, source: unknown): void =>
  whenHere(parts, source, (resolved, to) => {
    const value = typeof resolved === 'boolean' && /^(?:aria|data)-/i.test(name) ? `${resolved}` : resolved
    if (value === true) appendText(to, ` ${name}`)
    else if (!isNothing(value)) appendText(to, ` ${name}="${valueOf({ tag, name, statics: ['', ''] }, [value])}"`)
  })

const valueOf = ({ tag, name, statics }: Attribute, values: readonly unknown[]): string => {
  const full = `${tag} ${name}`
  const texts = values.map(STYLE.test(full) ? styleOf : textOf)
  if (!values.every(isRaw)) {
    if (CODE.test(full)) throw new TypeError(`html: ${name}: expected raw(…)`)
    // An entity in the template may be a colon
    const url = statics.map((html, at) => [html.replaceAll('&', ':'), texts[at]].join('')).join('')
    if (URL_NAME.test(full) && !SAFE_URL.test(url.replace(DROPPED, ''))) return 'about:invalid'
  }
  return statics.map((html, at) => html + escapeText(texts[at] ?? '')).join('')
}

const isRaw = (value: unknown): boolean => value instanceof RawMarkup

/** The items of a list are separated by spaces, as classes are. */
const textOf = (value: unknown): string =>
  isNothing(value) ? '' : Array.isArray(value) ? value.map(textOf).filter(Boolean).join(' ') : String(value)

/** A record becomes declarations: `{ fontSize: '2em' }` is `font-size:2em`. */
const styleOf = (value: unknown): string =>
  typeof value === 'object' && value && !isRaw(value)
    ? Object.entries(value)
        .filter(([, each]) => textOf(each))
        .map(([name, each]) => `${styleText(name.replace(/[A-Z]/g, '-$&').toLowerCase())}:${styleText(each)}`)
        .join(';')
    : styleText(value)

/** An unsafe value becomes a word that makes the browser drop the declaration. */
const styleText = (value: unknown): string =>
  isRaw(value) || SAFE_STYLE.test(textOf(value)) ? textOf(value) : 'invalid'
