import { usageError } from '../errors.ts'

/** What of a name becomes a class or a variable. */
interface Identifiers {
  readonly camel: string
  readonly pascal: string
}

/** Refuse a name whose class or variable would be invalid in the generated code. */
export const refuseWord = (name: Identifiers, input: string): void => {
  if (KEYWORDS.has(name.camel)) throw usageError(`"${input}" is not a name: "${name.camel}" is a reserved word`)
  if (GLOBALS.has(name.pascal)) throw usageError(`"${input}" is not a name: it would hide the global "${name.pascal}"`)
  if (TAKEN.has(name.camel)) throw usageError(`"${input}" is not a name: generated code uses "${name.camel}" itself`)
}

const words = (list: string): ReadonlySet<string> => new Set(list.split(' '))

/** Words that cannot be variable names in a module, and values that look like names. */
const KEYWORDS = /* @__PURE__ */ words(
  'arguments await break case catch class const continue debugger default delete do else enum eval export extends ' +
    'false finally for function if implements import in instanceof interface let new null package private protected ' +
    'public return static super switch this throw true try typeof undefined var void while with yield prototype ' +
    'constructor infinity',
)

/** Globals and imports that generated files, or the types in them, refer to. */
const GLOBALS = /* @__PURE__ */ words(
  'Array Boolean Date Error Function Headers Infinity JSON Map Math NaN Number Object Partial Pick Promise Response Set ' +
    'String Symbol URL HttpError Validated Values',
)

/** Names that the templates import or declare. */
const TAKEN = /* @__PURE__ */ words(
  'model context middleware app body ctx headers id json next params parsed readValues z',
)
