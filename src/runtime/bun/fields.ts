import { addTo, type FieldList } from '../../internal/header/fields.ts'
import { MAX_TYPES } from '../../internal/header/text-type.ts'
import type { PendingEdits, ResponseRuntime } from '../contract.ts'
import * as platform from '../platform/response.ts'
import { headersOfType, knownType } from './typed-response.ts'

/** The header map of a response that has a type, and some lists on it. */
interface Template {
  readonly headers: Headers
  /** The last list that was put on it, and its content at that time, because its owner may change it. */
  readonly list: FieldList
  readonly fields: FieldList
  /** Templates with one more list. */
  readonly next: Template[]
  /** Lists seen once. A list that does not come again soon gets no template. */
  readonly seen: FieldList[]
}

const templates = new Map<string, Template>()

/** How many lists are remembered at each template. */
const MAX_LISTS = 8

/**
 * Put lists on a response. Bun copies a header map of twelve fields in the time that it takes to set four, and most
 * responses of a server have the same lists: so a string with a type and no other field is made again with such a map.
 */
export const addFields: ResponseRuntime['addFields'] = (response, list, more) => {
  const { content } = platform.contentOf(response)
  const first = more && typeof content === 'string' ? templateOf(response) : undefined
  const found = first && below(first, list)
  if (!found) return platform.addFields(response, list)
  const { headers } = last(found, more!)
  const { status, statusText } = response
  return platform.whole(new Response(content as string, { status, statusText, headers }), content as string)
}

/** The template with all the lists on it that come next. They are taken off. */
const last = (found: Template, more: PendingEdits): Template => {
  const { edit } = more.edits ?? {}
  const next = Array.isArray(edit) ? below(found, edit) : isIdle(edit, found) ? found : undefined
  if (!next) return found
  more.edits = more.edits!.older
  return last(next, more)
}

const template = (headers: Headers, list: FieldList): Template => ({
  headers,
  list,
  fields: list.slice(),
  next: [],
  seen: [],
})

/** The type of a response that has no other field. `count` is Bun's own. */
const typeOf = (response: Response): string | null | false => {
  const known = knownType(response)
  if (known !== undefined) return known
  const { headers }: { readonly headers: Headers & { readonly count?: number } } = response
  return headers.count === 1 && headers.get('content-type')
}

/** The template of a response that has a type and no other field. */
const templateOf = (response: Response): Template | undefined => {
  const type = typeOf(response)
  if (!type) return undefined
  const known = templates.get(type)
  if (known || templates.size >= MAX_TYPES) return known
  const made = template(headersOfType(type), [])
  templates.set(type, made)
  return made
}

/** The template with one more list, from the second time on that the list comes. */
const below = ({ headers, next, seen }: Template, list: FieldList): Template | undefined => {
  for (const longer of next) if (longer.list === list && isSame(list, longer.fields)) return longer
  if (!seen.includes(list)) {
    remember(seen, list)
    return undefined
  }
  const joined = new Headers(headers)
  addTo(joined, list)
  const made = template(joined, list)
  remember(next, made)
  return made
}

/** Add to a list that forgets its oldest. */
const remember = <T>(list: T[], item: T): void => {
  if (list.length >= MAX_LISTS) list.shift()
  list.push(item)
}

const isSame = (list: FieldList, fields: FieldList): boolean => {
  for (let index = 0; index < fields.length; index++) if (list[index] !== fields[index]) return false
  return list.length === fields.length
}

/** Whether an edit takes off a field that is not there. */
const isIdle = (edit: unknown, { headers }: Template): boolean => {
  const { removes } = Object(edit) as { readonly removes?: string }
  return removes !== undefined && !headers.has(removes)
}
