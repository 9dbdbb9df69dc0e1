import type { Locale } from '../../internal/z/issue.ts'
import { createLocale } from './create-locale.ts'

/**
 * French messages.
 *
 * @example
 * schema.safeParse(value, { errorMap: fr }) // or, for every parse: setErrorMap(fr)
 */
export const fr: Locale = /* @__PURE__ */ createLocale({
  required: 'Obligatoire',
  type: (expected, received) => `Type attendu : ${expected}, reçu : ${received}`,
  literal: (expected) => `Valeur invalide, attendu : ${expected}`,
  option: (options, received) => `Valeur invalide ${received}, au choix : ${options}`,
  keys: (keys) => `Clés inconnues : ${keys}`,
  invalid: 'Saisie invalide',
  date: 'Date invalide',
  merge: 'Les résultats ne peuvent pas être réunis',
  finite: 'Le nombre doit être fini',
  multiple: (step) => `Le nombre doit être un multiple de ${step}`,
  format: (name) => `Invalide : ${name}`,
  pattern: 'Format invalide',
  starts: (text) => `Doit commencer par ${text}`,
  ends: (text) => `Doit se terminer par ${text}`,
  includes: (text) => `Doit contenir ${text}`,
  size: ({ least, exact, inclusive, limit, unit }) => {
    if (unit === 'value') {
      const words = least ? 'supérieur' : 'inférieur'
      return `Doit être ${words} ${inclusive ? 'ou égal ' : ''}à ${limit}`
    }
    const words = exact ? 'exactement' : least ? 'au moins' : 'au plus'
    return `Doit contenir ${words} ${limit} ${unit === 'character' ? 'caractère' : 'élément'}${Number(limit) < 2 ? '' : 's'}`
  },
  types: {
    string: 'texte',
    number: 'nombre',
    integer: 'nombre entier',
    float: 'nombre décimal',
    boolean: 'booléen',
    array: 'liste',
    object: 'objet',
    undefined: 'rien',
    null: 'null',
    nan: 'pas un nombre',
  },
})
