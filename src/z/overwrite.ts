import type { Check } from '../internal/z/definition.ts'

/**
 * A check that changes the value and keeps its type: a schema of strings, numbers, bigints or dates keeps its methods.
 *
 * @example
 * string().check(overwrite((text: string) => text.normalize())).min(1).parse('e\u0301') // 'é'
 */
export const overwrite = <T>(change: (value: T) => T): Check => ({ kind: 'overwrite', holds: () => false, change })
