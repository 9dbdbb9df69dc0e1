/**
 * The plural of a lower-case English word. A word that is already plural is returned unchanged.
 *
 * @example
 * pluralize('category') // 'categories'
 */
export const pluralize = (word: string): string => {
  if (UNCOUNTABLE.has(word) || isPlural(word)) return word
  const irregular = IRREGULAR.get(word)
  if (irregular !== undefined) return irregular
  return RULES.find(([ending]) => ending.test(word))?.[1](word) ?? `${word}s`
}

/** True if the word, in lower case, is a plural that differs from its singular. */
export const isPlural = (word: string): boolean =>
  IRREGULAR_PLURALS.has(word) || (endsAsPlural(word) && !UNCOUNTABLE.has(word))

const IRREGULAR: ReadonlyMap<string, string> = /* @__PURE__ */ new Map([
  ['person', 'people'],
  ['man', 'men'],
  ['woman', 'women'],
  ['child', 'children'],
  ['foot', 'feet'],
  ['tooth', 'teeth'],
  ['goose', 'geese'],
  ['mouse', 'mice'],
  ['ox', 'oxen'],
  ['datum', 'data'],
  ['medium', 'media'],
  ['criterion', 'criteria'],
  ['phenomenon', 'phenomena'],
  ['quiz', 'quizzes'],
  ['hero', 'heroes'],
  ['potato', 'potatoes'],
  ['tomato', 'tomatoes'],
  ['echo', 'echoes'],
  ['veto', 'vetoes'],
  ['cargo', 'cargoes'],
  ['axis', 'axes'],
])

const IRREGULAR_PLURALS: ReadonlySet<string> = /* @__PURE__ */ new Set(IRREGULAR.values())

const UNCOUNTABLE: ReadonlySet<string> = /* @__PURE__ */ new Set(
  'sheep fish deer news series species equipment information rice money metadata feedback staff aircraft software hardware luggage'.split(
    ' ',
  ),
)

/** Singular words that end in a single `s`. */
const SINGULAR_IN_S: ReadonlySet<string> = /* @__PURE__ */ new Set(
  'gas lens atlas canvas bias alias iris chaos cosmos ethos pancreas texas'.split(' '),
)

/** A word that ends in `s` is a plural, except for `-ss`, `-us`, `-is` and the words above. */
const endsAsPlural = (word: string): boolean => word.length > 1 && /[^sui]s$/.test(word) && !SINGULAR_IN_S.has(word)

/** Replacements of endings; the first match is used. */
const RULES: readonly (readonly [RegExp, (word: string) => string])[] = [
  [
    /(?:(?:kni|li|wi)fe|(?:ca|ha|e|wo)lf|(?:l|sh)eaf|loaf|(?:dw|sc|wh)arf|thief)$/,
    (word) => word.replace(/fe?$/, 'ves'),
  ],
  // `ch` as in `k`
  [/(?:epo|te|stoma|monar|matriar|patriar|lo)ch$/, (word) => `${word}s`],
  [/[^aeiou]y$/, (word) => word.replace(/y$/, 'ies')],
  [/quy$/, (word) => word.replace(/y$/, 'ies')],
  [/[^f]sis$/, (word) => word.replace(/is$/, 'es')],
  [/(?:s|x|z|ch|sh)$/, (word) => `${word}es`],
]
