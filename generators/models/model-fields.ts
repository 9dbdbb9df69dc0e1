import { definedTable, isDefined } from './defined-model.ts'

/** The beginning of a static field, in a line of its own. */
const STATIC = '^[ \\t]*(?:public |override )?static (?:override )?(?:readonly )?'

/** The type of the key that a model file declares; undefined if it declares none. */
export const keyOfModel = (source: string): string | undefined =>
  /^\s+(?:public |override |readonly )*(?:declare (?:readonly )?id|id!): (.*?);? *(?:\/\/.*)?$/m.exec(source)?.[1] ??
  (isDefined(source) ? 'number' : undefined)

/** The switches of `sluice g model` that would write such a model again. */
export const flagsOfModel = (source: string): readonly string[] => [
  ...(isOn(source, 'softDelete') ? ['soft-delete'] : []),
  ...(isOn(source, 'version') ? ['lock'] : []),
  ...((isDefined(source) ? /\btimestamps: false\b/.test(source) : !isOn(source, 'timestamps'))
    ? ['no-timestamps']
    : []),
]

const isOn = (source: string, name: string): boolean =>
  new RegExp(`${STATIC}${name}(?:: boolean)? = true`, 'm').test(source) ||
  (isDefined(source) && new RegExp(`\\b${name}: true\\b`).test(source))

/** The table of a model file, or undefined if the file does not name it. */
export const tableOfModel = (source = ''): string | undefined =>
  definedTable(source) ?? new RegExp(`${STATIC}tableName(?:: string)? = ['"](\\w+)['"]`, 'm').exec(source)?.[1]
