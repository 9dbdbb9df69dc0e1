import { addText, appendText, type Part, RawMarkup, whenHere } from './markup.ts'

/** Script types that are data and are not run by browsers. */
const JSON_TYPE = /^(?:application|text)\/(?:[\w.-]+\+)?json$/i

/** True for a script that is data. */
export const isJsonScript = (tag: string, type: string): boolean => tag === 'script' && JSON_TYPE.test(type)

/** Write a value into such a script: as JSON, unless it comes from `raw`. */
export const addJson = (parts: Part[], source: unknown): void =>
  whenHere(parts, source, (value, to) => {
    if (value instanceof RawMarkup) addText(value, to)
    else appendText(to, (JSON.stringify(value) ?? 'null').replace(UNSAFE, reference))
  })

/** Characters with a special meaning for HTML or JavaScript parsers. */
const UNSAFE = /[<>&\u2028\u2029]/g

const reference = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
