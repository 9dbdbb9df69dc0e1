import type { Editable } from '../context/finish.ts'

/**
 * The `Vary` of the lists that middleware in front of the cache has registered. They are added after the response was
 * stored, but the handler has already read what they chose: a language, a version.
 */
export const pendingVary = ({ edits }: Pick<Editable, 'edits'>): string =>
  (edits ?? [])
    .flatMap((list) => (typeof list === 'function' ? [] : list.filter((_, at) => at % 2 && list[at - 1] === 'vary')))
    .join()
