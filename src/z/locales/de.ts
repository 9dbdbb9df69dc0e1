import type { Locale } from '../../internal/z/issue.ts'
import { createLocale } from './create-locale.ts'

/**
 * German messages.
 *
 * @example
 * schema.safeParse(value, { errorMap: de }) // or, for every parse: setErrorMap(de)
 */
export const de: Locale = /* @__PURE__ */ createLocale({
  required: 'Erforderlich',
  type: (expected, received) => `${expected} erwartet, ${received} erhalten`,
  literal: (expected) => `Ungültiger Wert, ${expected} erwartet`,
  option: (options, received) => `Ungültiger Wert ${received}, erlaubt sind ${options}`,
  keys: (keys) => `Unbekannte Schlüssel: ${keys}`,
  invalid: 'Ungültige Eingabe',
  date: 'Ungültiges Datum',
  merge: 'Die Ergebnisse lassen sich nicht vereinen',
  finite: 'Die Zahl muss endlich sein',
  multiple: (step) => `Die Zahl muss ein Vielfaches von ${step} sein`,
  format: (name) => `Ungültig: ${name}`,
  pattern: 'Ungültiges Format',
  starts: (text) => `Muss mit ${text} beginnen`,
  ends: (text) => `Muss mit ${text} enden`,
  includes: (text) => `Muss ${text} enthalten`,
  size: ({ least, exact, inclusive, limit, unit }) => {
    if (unit === 'value') {
      const words = least ? (inclusive ? 'mindestens' : 'größer als') : inclusive ? 'höchstens' : 'kleiner als'
      return `Muss ${words} ${limit} sein`
    }
    const words = exact ? 'genau' : least ? 'mindestens' : 'höchstens'
    return `Muss ${words} ${limit} ${unit === 'character' ? 'Zeichen' : limit === '1' ? 'Element' : 'Elemente'} enthalten`
  },
  types: {
    string: 'Text',
    number: 'Zahl',
    integer: 'ganze Zahl',
    float: 'Bruchzahl',
    boolean: 'Wahrheitswert',
    date: 'Datum',
    array: 'Liste',
    object: 'Objekt',
    undefined: 'nichts',
    nan: 'keine Zahl',
  },
})
