import { addText, appendText, isNothing, type Part, RawMarkup, whenHere } from './markup.ts'

/** Elements whose content is neither text nor markup: a reference such as `&lt;` means nothing in it. */
export const CODE_ELEMENT: RegExp = /^(?:script|style|xmp|iframe|noembed|noframes|plaintext)$/i

/** Elements after whose start tag the parser drops a line break (HTML, "the in body insertion mode"). */
export const DROPS_LINE_BREAK: RegExp = /^(?:pre|textarea|listing)$/i

/** Write the content of such an element. @throws {TypeError} unless it comes from `raw`. */
export const addCode = (parts: Part[], tag: string, source: unknown): void =>
  whenHere(parts, source, (value, to) => {
    if (Array.isArray(value)) for (const each of value) addCode(to, tag, each)
    else if (isNothing(value) || value instanceof RawMarkup) addText(value, to)
    else throw new TypeError(`html: ${tag}: expected raw(…)`)
  })

/** Script types that are data, which browsers do not run. */
export const JSON_TYPE: RegExp = /^(?:application|text)\/(?:[\w.-]+\+)?json$/i

/** Write a value into such a script: as JSON, unless it comes from `raw`. */
export const addJson = (parts: Part[], source: unknown): void =>
  whenHere(parts, source, (value, to) => {
    if (value instanceof RawMarkup) addText(value, to)
    else appendText(to, (JSON.stringify(value) ?? 'null').replace(UNSAFE, escapeUnit))
  })

/** Characters with a special meaning for HTML or JavaScript parsers. */
const UNSAFE = /[<>&\u2028\u2029]/g

const escapeUnit = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
