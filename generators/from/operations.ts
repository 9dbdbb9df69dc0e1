import { block, createNames, keyOf, literal } from './code.ts'
import type { Components } from './components.ts'
import { type ApiDocument, follow, isPart, listOf, type Part, partOf, textOf } from './document.ts'
import { bodyInput, parameterInput, parametersOf, type Sample } from './inputs.ts'
import { schemaCode } from './schema.ts'

/** A route of the project, and what its tests send. */
export interface Operation {
  readonly method: string
  /** The path as the document has it. */
  readonly template: string
  /** The pattern of the route. */
  readonly path: string
  readonly name: string
  /** `describe(…)` and the validators, as code. */
  readonly steps: readonly string[]
  readonly summary: string
  readonly sample: Sample | undefined
  readonly broken: Partial<Sample> | undefined
}

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch'] as const

/** The operations that can be routes. The others, and what is left out of a route, are noted. */
export const operationsOf = (source: ApiDocument, components: Components): readonly Operation[] => {
  const { root, notes } = source
  const nameOf = createNames()
  const ids = new Set<string>()
  const operations: Operation[] = []
  for (const [template, pathItem] of Object.entries(partOf(root.paths))) {
    if (template.startsWith('x-')) continue
    const { $ref, ...siblings } = partOf(pathItem)
    const item: Part = $ref === undefined ? siblings : { ...partOf(follow(source, pathItem, template)), ...siblings }
    for (const member of ['servers', 'trace', 'summary', 'description'])
      if (item[member] !== undefined) notes.push({ where: template, what: `"${member}" of a path is left out` })
    for (const method of METHODS) {
      const operation = item[method]
      if (!isPart(operation)) continue
      const where = `${method.toUpperCase()} ${template}`
      const pattern = patternOf(template)
      if (typeof pattern === 'string') {
        notes.push({ where, what: `left out: ${pattern}` })
        continue
      }
      for (const member of ['callbacks', 'servers', 'externalDocs'])
        if (operation[member] !== undefined) notes.push({ where, what: `"${member}" is left out` })
      const parameters = parametersOf(item, operation, source, where).filter(
        ({ in: place, name }) => place !== 'path' || pattern.names.has(String(name)),
      )
      for (const [name, written] of pattern.names)
        if (name !== written) notes.push({ where, what: `the parameter ${name} is called ${written} in the route` })
      const input = parameterInput(
        parameters,
        source,
        where,
        components.refer,
        (name) => pattern.names.get(name) ?? name,
      )
      const hasBody = !/^(get|head|options)$/.test(method)
      if (!hasBody && operation.requestBody !== undefined)
        notes.push({ where, what: `a body of ${method.toUpperCase()} is not validated` })
      const body =
        hasBody && operation.requestBody !== undefined
          ? bodyInput(operation, source, where, components.refer)
          : undefined
      const id = textOf(operation.operationId)
      const ownId = id !== undefined && !ids.has(id) ? id : undefined
      if (ownId !== undefined) ids.add(ownId)
      else if (id !== undefined) notes.push({ where, what: `the operationId ${id} is used twice, and is left out` })
      const bodySample = body ? body.sample : { body: {} }
      operations.push({
        method,
        template,
        path: pattern.path,
        name: nameOf(
          id ??
            `${method}${template.replace(/[^A-Za-z0-9]+(\w?)/g, (_, next: string) => next.toUpperCase()) || 'Root'}`,
        ),
        summary: textOf(operation.summary) ?? where,
        steps: [describeCode(operation, ownId, source, where, components), ...input.steps, ...(body?.steps ?? [])],
        sample: input.sample && bodySample && { ...input.sample, body: bodySample.body },
        broken: body?.broken ?? input.broken,
      })
    }
  }
  return operations
}

/** The pattern of a path, and the name in it of each parameter; a text with the reason if the path cannot have one. */
const patternOf = (
  template: string,
): string | { readonly path: string; readonly names: ReadonlyMap<string, string> } => {
  const names = new Map<string, string>()
  const segments = template.split('/').map((segment) => {
    const name = /^\{([^{}]+)\}$/.exec(segment)?.[1]
    if (name === undefined) return segment.startsWith(':') ? '{' : segment
    const written = name.replace(/[^\w-]/g, '_')
    if (names.has(name) || [...names.values()].includes(written)) return '{'
    names.set(name, written)
    return `:${written}`
  })
  if (segments.some((segment) => /[{}*?#\s\\]/.test(segment)))
    return 'a parameter must be a whole segment of the path, once; no fixed segment begins with ":" or has "*", "?" or "#"'
  if (!template.startsWith('/')) return 'a path begins with "/"'
  return { path: segments.join('/'), names }
}

const describeCode = (
  operation: Part,
  id: string | undefined,
  source: ApiDocument,
  where: string,
  { refer }: Components,
): string => {
  const { summary, description, tags, deprecated, security } = operation
  const responses = Object.entries(partOf(operation.responses)).flatMap(([status, response]) => {
    if (status.startsWith('x-')) return []
    if (/^([1-5](\d\d|XX)|default)$/.test(status))
      return [`${keyOf(status)}: ${responseCode(response, source, `${where}: ${status}`, refer)}`]
    source.notes.push({ where, what: `the response ${status} is left out: it is not a status` })
    return []
  })
  return block(
    'describe({',
    [
      ...(textOf(summary) ? [`summary: ${literal(summary)}`] : []),
      ...(textOf(description) ? [`description: ${literal(description)}`] : []),
      ...(id === undefined ? [] : [`operationId: ${literal(id)}`]),
      ...(listOf(tags).length ? [`tags: ${literal(tags)}`] : []),
      ...(deprecated === true ? ['deprecated: true'] : []),
      ...(Array.isArray(security) ? [`security: ${literal(security)}`] : []),
      ...(responses.length ? [`responses: ${block('{', responses, '}')}`] : []),
    ],
    '})',
  )
}

const responseCode = (
  response: unknown,
  source: ApiDocument,
  where: string,
  refer: (name: string) => string,
): string => {
  const { description, content, headers, links } = partOf(follow(source, response, where))
  const types = Object.keys(partOf(content))
  const type = types.find((name) => /[/+]json\b/i.test(name)) ?? types[0]
  for (const other of types.filter((candidate) => candidate !== type))
    source.notes.push({ where, what: `the media type ${other} is left out (${type} is described)` })
  if (links !== undefined) source.notes.push({ where, what: '"links" are left out' })
  const { schema } = partOf(partOf(content)[type ?? ''])
  const isJson = type !== undefined && /[/+]json\b/i.test(type)
  if (schema !== undefined && !isJson) source.notes.push({ where, what: `the schema of ${type} is left out` })
  const fields = Object.entries(partOf(headers)).flatMap(([name, header]) => {
    const resolved = follow(source, header, where)
    if (!JSON.stringify(resolved ?? '$ref').includes('"$ref"')) return [`${keyOf(name)}: ${literal(resolved)}`]
    source.notes.push({ where, what: `the header ${name} is left out: it has a reference` })
    return []
  })
  return block(
    '{',
    [
      ...(textOf(description) ? [`description: ${literal(description)}`] : []),
      ...(schema !== undefined && isJson
        ? [`schema: ${schemaCode(schema, { source, where, asText: false, refer })}`]
        : []),
      ...(type !== undefined && type !== 'application/json' ? [`contentType: ${literal(type)}`] : []),
      ...(fields.length ? [`headers: ${block('{', fields, '}')}`] : []),
    ],
    '}',
  )
}
