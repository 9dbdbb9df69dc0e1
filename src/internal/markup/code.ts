import { addText, isNothing, type Part, RawMarkup, whenHere } from './markup.ts'

/** Elements whose content is not text with markup, so that a reference such as `&lt;` means nothing in it. */
export const CODE_ELEMENT: RegExp = /^(?:script|style|xmp|iframe|noembed|noframes|plaintext)$/i

/** Elements for which the parser drops a line break right after the start tag (HTML, "the in body insertion mode"). */
export const DROPS_LINE_BREAK: RegExp = /^(?:pre|textarea|listing)$/i

/**
 * Write the content of such an element, which must come from `raw`.
 *
 * @throws {TypeError} for any other value.
 */
export const addCode = (parts: Part[], tag: string, source: unknown): void =>
  whenHere(parts, source, (value, to) => {
    if (Array.isArray(value)) for (const each of value) addCode(to, tag, each)
    else if (isNothing(value) || value instanceof RawMarkup) addText(value, to)
    else throw new TypeError(`html: ${tag}: expected raw(…)`)
  })
