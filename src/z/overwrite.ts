import type { Check } from '../internal/z/definition.ts'

/**
 * A check that changes the value and keeps its type: the schema stays one of strings, numbers, bigints or dates.
 *
 * @example
 * string().check(overwrite((text: string) => text.normalize())).min(1).parse('e\u0301') // 'é'
 */
export const overwrite = <T>(change: (value: T) => T): Check => ({ kind: 'overwrite', holds: () => false, change })
