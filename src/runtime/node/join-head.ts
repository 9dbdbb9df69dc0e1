import type { ServerResponse } from 'node:http'
import { mergeVary } from '../../internal/header/vary.ts'

/**
 * Merge the headers of a response with those that others have set. Our headers replace theirs, but `set-cookie` and
 * `vary` are combined.
 *
 * Each header goes through `setHeader`: some versions of `on-headers`, which `compression`, `morgan` and
 * `express-session` use, cannot read a flat list.
 */
export const joinHead = (outgoing: ServerResponse): void => {
  const { writeHead } = outgoing
  // any: the three forms of writeHead; ours are (status, fields) and (status, text, fields)
  outgoing.writeHead = (status: number, ...rest: any[]) => {
    outgoing.writeHead = writeHead
    setFields(outgoing, rest.pop())
    return writeHead.call(outgoing, status, ...rest)
  }
}

/** Set a list, or, on HTTP/2, a record. */
export const setFields = (
  outgoing: ServerResponse,
  fields: readonly string[] | Record<string, string | string[]>,
): void => {
  const values = new Map<string, string[]>()
  const add = (name: string, value: string): unknown => values.get(name)?.push(value) ?? values.set(name, [value])
  if (Array.isArray(fields))
    for (let index = 0; index < fields.length; index += 2) add(fields[index], fields[index + 1])
  else for (const [name, list] of Object.entries(fields)) for (const value of [list].flat()) add(name, value)
  for (const [name, list] of values) {
    const current = outgoing.getHeader(name)
    if (current !== undefined && name === 'set-cookie')
      outgoing.setHeader(name, [current as string | string[], list].flat())
    else if (current !== undefined && name === 'vary') {
      const members = list.join(',').split(',')
      const earlier = [current].flat().join(', ')
      outgoing.setHeader(
        name,
        members.reduce((all, member) => mergeVary(all, member.trim()), earlier),
      )
    } else outgoing.setHeader(name, list.length > 1 ? list : list[0]!)
  }
}
