import type { Edit } from '../../kernel/context.ts'

/**
 * The `Vary` of the lists that middleware in front of the cache has registered. They are added after the response was
 * stored, but the handler has already read their choice: a language, a version.
 */
export const pendingVary = ({ edits }: { readonly edits: Edit | undefined }): string => {
  const values: string[] = []
  for (let pending = edits; pending; pending = pending.older)
    if (typeof pending.edit !== 'function')
      values.push(...pending.edit.filter((_, at, list) => at % 2 && list[at - 1] === 'vary'))
  return values.join()
}
