import { block, keyOf, literal } from './code.ts'
import { type ApiDocument, follow, isPart, listOf, type Part, partOf, textOf } from './document.ts'
import { NOTHING, sampleOf } from './sample.ts'
import { deprecatedCode, optionalCode, schemaCode } from './schema.ts'

/** The validators for one part of a request, and what a test sends in it. */
export interface Input {
  /** The validators, as code. */
  readonly steps: readonly string[]
  readonly sample: Sample | undefined
  /** A change of the sample that must be refused. */
  readonly broken: Partial<Sample> | undefined
}

/** A request as the tests of the project send it. */
export interface Sample {
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  readonly headers: Readonly<Record<string, string>>
  readonly body: { readonly [kind in 'json' | 'form' | 'files']?: unknown }
}

type Refer = (name: string) => string

const VALIDATORS = { path: 'validateParams', query: 'validateQuery', header: 'validateHeaders' } as const
const PLACES = { path: 'params', query: 'query', header: 'headers' } as const

/** Headers that are described elsewhere in a document: OpenAPI ignores them among parameters. */
const ELSEWHERE = /^(accept|content-type|authorization)$/i

/** The parameters of an operation: its own, and those of its path. */
export const parametersOf = (path: Part, operation: Part, source: ApiDocument, where: string): readonly Part[] => {
  const all = [...listOf(path.parameters), ...listOf(operation.parameters)]
    .map((parameter) => follow(source, parameter, where))
    .filter(isPart)
    .filter(({ in: place, name }) => typeof name === 'string' && !(place === 'header' && ELSEWHERE.test(name)))
  return [...new Map(all.map((parameter) => [`${parameter.in} ${parameter.name}`, parameter])).values()]
}

/** The validators of parameters. `rename` gives the name that the route's pattern has. */
export const parameterInput = (
  parameters: readonly Part[],
  source: ApiDocument,
  where: string,
  refer: Refer,
  rename: (name: string) => string,
): Input => {
  const steps: string[] = []
  const sample: Record<string, Record<string, string>> = { params: {}, query: {}, headers: {} }
  let certain = true
  let broken: Partial<Sample> | undefined
  for (const { in: place, name } of parameters)
    if (place === 'cookie') source.notes.push({ where, what: `the cookie ${name} is not validated` })
  for (const place of ['path', 'query', 'header'] as const) {
    const members: string[] = []
    for (const parameter of parameters.filter((candidate) => candidate.in === place)) {
      const name =
        place === 'path'
          ? rename(String(parameter.name))
          : place === 'header'
            ? String(parameter.name).toLowerCase()
            : String(parameter.name)
      const at = `${where}: ${place} ${name}`
      const required = place === 'path' || parameter.required === true
      const schema = plainSchema(parameter, source, at)
      const context = { source, where: at, asText: true, refer }
      const code = schemaCode(schema, context)
      const { description } = parameter
      const describes = typeof description === 'string' && !code.includes('.describe(')
      const described = describes ? `.describe(${literal(description.trim())})` : ''
      const value = `${code}${required ? '' : optionalCode(schema, code, context)}${described}`
      const isOld = parameter.deprecated === true && !code.includes('z.meta(')
      members.push(`${keyOf(name)}: ${isOld ? deprecatedCode(value) : value}`)
      if (!required) continue
      const example = sampleOf(schema, source)
      const text = [example].flat().map((item) => String(isPart(item) ? NOTHING.toString() : item))[0]
      if (example === NOTHING || text === undefined || text === '' || isPart(example)) certain = false
      else sample[PLACES[place]]![name] = text
      if (/^(?:z\.meta\()?z\.preprocess\(toNumber, z\.number\(\)/.test(code))
        broken ??= { [PLACES[place]]: { [name]: 'no-number' } } as Partial<Sample>
    }
    if (members.length) steps.push(`${VALIDATORS[place]}(${block('z.object({', members, '})')})`)
  }
  return { steps, sample: certain ? ({ ...sample, body: {} } as Sample) : undefined, broken }
}

/** The schema of a parameter. It accepts anything if validators cannot read the parameter's `style`. */
const plainSchema = (parameter: Part, source: ApiDocument, where: string): unknown => {
  const {
    style = parameter.in === 'query' ? 'form' : 'simple',
    explode = style === 'form',
    content,
    schema,
  } = parameter
  const resolved = follow(source, schema, where)
  const types = [partOf(resolved).type].flat()
  const isDeep = types.includes('object') || (types.includes('array') && !(style === 'form' && explode === true))
  if (content === undefined && !isDeep) return schema ?? {}
  source.notes.push({
    where,
    what: `${content ? 'a parameter with "content"' : `style ${style} of a list or an object`} is taken as text`,
  })
  return { description: partOf(resolved).description }
}

/** The validator of a body: JSON, else a form. */
export const bodyInput = (operation: Part, source: ApiDocument, where: string, refer: Refer): Input => {
  const body = partOf(follow(source, operation.requestBody, where))
  const content = partOf(body.content)
  const types = Object.keys(content)
  const isJson = (type: string): boolean => /[/+]json\b/i.test(type)
  const isForm = (type: string): boolean => /^(multipart\/form-data|application\/x-www-form-urlencoded)/i.test(type)
  const chosen = types.find(isJson) ?? types.find(isForm)
  for (const type of types) {
    if (type === chosen || (chosen && isForm(type) && isForm(chosen))) continue
    source.notes.push({
      where,
      what: `a body of ${type} is not validated${chosen ? ` (${chosen} is)` : ': the handler reads it'}`,
    })
  }
  if (chosen === undefined) return { steps: [], sample: undefined, broken: undefined }
  if (textOf(body.description)) source.notes.push({ where, what: 'the description of the body is left out' })
  if (partOf(content[chosen]).encoding !== undefined)
    source.notes.push({ where, what: `"encoding" of ${chosen} is left out` })
  if (body.required !== true)
    source.notes.push({ where, what: 'the body is required, although the document says that it may be absent' })
  const asText = !isJson(chosen)
  const { schema } = partOf(content[chosen])
  const code = schemaCode(schema ?? {}, { source, where: `${where}: body`, asText, refer })
  const value = asText
    ? withFiles(sampleOf(schema ?? {}, source), schema, source, where)
    : sampleOf(schema ?? {}, source)
  const certain = value !== NOTHING && (!asText || isPart(value))
  const kind = asText ? (/^multipart/i.test(chosen) ? 'files' : 'form') : 'json'
  return {
    // Without a type, the validator accepts both kinds, and a form of another site needs no preflight
    steps: [`validateBody(${code}, { type: '${asText ? 'form' : 'json'}' })`],
    sample: certain ? { params: {}, query: {}, headers: {}, body: { [kind]: value } } : undefined,
    broken: asText ? undefined : { body: { form: {} } },
  }
}

/** A sample of a form, whose files are `{ file: … }`. */
const withFiles = (value: unknown, schema: unknown, source: ApiDocument, where: string): unknown => {
  if (!isPart(value)) return value
  const properties = partOf(partOf(follow(source, schema, where)).properties)
  const isFile = (name: string): boolean =>
    /^z\.file/.test(
      schemaCode(properties[name], { source: { ...source, notes: [] }, where, asText: true, refer: String }),
    )
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [name, isFile(name) ? { file: 'text' } : field]),
  )
}
