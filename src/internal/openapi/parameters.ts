import type { Contract, InputSource } from '../route/contract.ts'
import type { Where } from '../route/match.ts'
import type { Template } from './path.ts'
import type { Schemas } from './schemas.ts'
import type { JsonSchema, Parameter } from './types.ts'

/** Headers that OpenAPI describes in other parts of a document (OpenAPI 3.1 §4.8.12.2). */
const ELSEWHERE = /^(accept|content-type|authorization)$/i

const IN = { params: 'path', query: 'query', headers: 'header' } as const

export interface Input extends Pick<Contract, 'type' | 'schema'> {
  readonly source: InputSource
}

/** The parameters of a path, one by one: from the pattern, from schemas, and from what middleware reads. */
export const parametersOf = (
  { names }: Template,
  inputs: readonly Input[],
  contracts: readonly Contract[],
  schemas: Schemas,
  where: string,
  patterns: Where = {},
): Parameter[] => {
  const parameters = new Map<string, Parameter>()
  const add = (parameter: Parameter): void => {
    const name = parameter.in === 'header' ? parameter.name.toLowerCase() : parameter.name
    const previous = parameters.get(`${parameter.in} ${name}`)
    const both = previous?.required || parameter.required
    parameters.set(`${parameter.in} ${name}`, { ...previous, ...parameter, ...(both && { required: true }) })
  }
  for (const [name, ownName, isWildcard] of names) {
    const description = isWildcard && { description: 'The rest of the path; it may hold slashes' }
    const schema = { type: 'string', ...patternOf(patterns[ownName]) }
    add({ name, in: 'path', required: true, ...description, schema })
  }
  // A middleware may read a header that the document has elsewhere, such as `Accept`
  for (const parameter of contracts.flatMap((contract) => contract.parameters ?? []))
    if (/^(query|header|cookie)$/.test(parameter.in)) add({ ...parameter } as Parameter)
  for (const { source, schema } of inputs) {
    if (source === 'body') continue
    const described = schemas.describe(schema, `${where}: ${source}`)
    const members = membersOf(described, schemas)
    if (members) {
      for (const [name, member] of Object.entries(members.properties)) {
        const publicName = source === 'params' ? names.find(([, own]) => own === name)?.[0] : name
        if (publicName === undefined || (source === 'headers' && ELSEWHERE.test(name))) continue
        const required = source === 'params' || members.required.has(name)
        add({ name: publicName, in: IN[source], ...describedBy(member), ...(required && { required }), schema: member })
      }
    } else if (source === 'query') add({ name: 'query', in: 'query', style: 'form', explode: true, schema: described })
  }
  return [...parameters.values()]
}

/** The pattern of a parameter, anchored to match the whole value, as in a route. */
const patternOf = (test: Where[string] | undefined): object =>
  test ? { pattern: test.source.includes('|') ? `^(?:${test.source})$` : `^${test.source}$` } : {}

const describedBy = ({ description, deprecated }: JsonSchema): object => ({
  ...(typeof description === 'string' && { description }),
  ...(deprecated === true && { deprecated }),
})

interface Members {
  readonly properties: Record<string, JsonSchema>
  readonly required: ReadonlySet<string>
}

/** The members of an object, even if it consists of several parts. */
export const membersOf = (schema: JsonSchema, schemas: Schemas): Members | undefined => {
  const { type, properties, required = [], allOf } = schemas.resolve(schema)
  if (Array.isArray(allOf)) {
    const parts = allOf.map((part) => membersOf(part as JsonSchema, schemas))
    if (parts.some((part) => !part)) return undefined
    const properties = Object.assign({}, ...parts.map((part) => part!.properties))
    return { properties, required: new Set(parts.flatMap((part) => [...part!.required])) }
  }
  if (type !== 'object' || !properties) return undefined
  return { properties: properties as Record<string, JsonSchema>, required: new Set(required as string[]) }
}
