import { addTo, type FieldList } from '../../internal/header/fields.ts'
import { MAX_TYPES } from '../../internal/header/text-type.ts'
import type { AddFields, PendingEdits } from '../contract.ts'
import * as platform from '../platform/response.ts'
import { headersOfType, knownType } from './typed-response.ts'

/** The header map of a response that has a type, and some lists on it. */
interface Template {
  readonly headers: Headers
  /** The last list that was put on it, and its content at that time, because its owner may change it. */
  readonly list: FieldList
  readonly fields: FieldList
  /** Templates with one more list. */
  readonly children: Template[]
  /** Lists seen once. A list that does not come again soon gets no template. */
  readonly seen: FieldList[]
}

const templates = new Map<string, Template>()

/** At each template. */
const MAX_LISTS = 8

/**
 * Put lists on a response. Bun copies a header map of twelve fields in the time that it takes to set four, and most
 * responses of a server have the same lists: so a string with a type and no other field is made again with such a map.
 */
export const addFields: AddFields = (response, list, more) => {
  const { content } = platform.contentOf(response)
  const root = more && typeof content === 'string' ? templateOf(response) : undefined
  const first = root && childOf(root, list)
  if (!first) return platform.addFields(response, list)
  const { headers } = applyEdits(first, more!)
  const { status, statusText } = response
  return platform.whole(new Response(content as string, { status, statusText, headers }), content as string)
}

/** The template with all the lists on it that come next. They are taken off `more`. */
const applyEdits = (template: Template, more: PendingEdits): Template => {
  const { edit } = more.edits ?? {}
  const next = Array.isArray(edit) ? childOf(template, edit) : removesNothing(edit, template) ? template : undefined
  if (!next) return template
  more.edits = more.edits!.older
  return applyEdits(next, more)
}

const createTemplate = (headers: Headers, list: FieldList): Template => ({
  headers,
  list,
  fields: list.slice(),
  children: [],
  seen: [],
})

/** The type of a response that has no other field. `count` is Bun's own. */
const typeOf = (response: Response): string | null | false => {
  const type = knownType(response)
  if (type !== undefined) return type
  const { headers }: { readonly headers: Headers & { readonly count?: number } } = response
  return headers.count === 1 && headers.get('content-type')
}

const templateOf = (response: Response): Template | undefined => {
  const type = typeOf(response)
  if (!type) return undefined
  const first = templates.get(type)
  if (first || templates.size >= MAX_TYPES) return first
  const template = createTemplate(headersOfType(type), [])
  templates.set(type, template)
  return template
}

/** The template with one more list, from the second time on that the list comes. */
const childOf = ({ headers, children, seen }: Template, list: FieldList): Template | undefined => {
  for (const child of children) if (child.list === list && isSame(list, child.fields)) return child
  if (!seen.includes(list)) {
    addBounded(seen, list)
    return undefined
  }
  const joined = new Headers(headers)
  addTo(joined, list)
  const child = createTemplate(joined, list)
  addBounded(children, child)
  return child
}

/** Add to a list that forgets its oldest. */
const addBounded = <T>(list: T[], item: T): void => {
  if (list.length >= MAX_LISTS) list.shift()
  list.push(item)
}

const isSame = (list: FieldList, fields: FieldList): boolean => {
  for (let index = 0; index < fields.length; index++) if (list[index] !== fields[index]) return false
  return list.length === fields.length
}

const removesNothing = (edit: unknown, { headers }: Template): boolean => {
  const { removes } = Object(edit) as { readonly removes?: string }
  return removes !== undefined && !headers.has(removes)
}
