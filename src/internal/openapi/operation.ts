import type { Contract, InputSource } from '../route/contract.ts'
import type { Where } from '../route/match.ts'
import { bodyOf } from './body.ts'
import { type Input, parametersOf } from './parameters.ts'
import type { Template } from './path.ts'
import { type ErrorFormats, responsesOf } from './responses.ts'
import type { Schemas } from './schemas.ts'
import { type SecuritySchemes, securityOf } from './security.ts'
import type { Operation } from './types.ts'

export interface DocumentContext {
  readonly schemas: Schemas
  readonly schemes: SecuritySchemes
  readonly idOf: (givenId: string | undefined, method: string, path: string) => string
  /** The application's own `onError`, if it describes its responses. */
  readonly formats: ErrorFormats | undefined
}

/** One method of a path, from what its steps say; the last `describe` wins. */
export const operationOf = (
  method: string,
  template: Template,
  allContracts: readonly Contract[],
  shared: DocumentContext,
  patterns?: Where,
): Operation => {
  const contracts = allContracts.filter(({ methods }) => methods?.includes(method.toUpperCase()) ?? true)
  const options = contracts.map(({ operation }) => operation)
  const described: Partial<Operation> & { readonly request?: object } = Object.assign({}, ...options)
  const { summary, description, tags, request = {}, responses = {} } = described
  const where = `${method.toUpperCase()} ${template.path}`
  const isUnsafe = !/^(get|head|options)$/.test(method)
  const ownInputs = Object.entries(request).map(([source, schema]) => ({ source: source as InputSource, schema }))
  const inputs: Input[] = [
    ...contracts.flatMap(({ source, schema, type }) => (source ? [{ source, schema, type }] : [])),
    ...ownInputs.filter(({ schema }) => schema),
  ]
  const { schemas } = shared
  const parameters = parametersOf(template, inputs, contracts, schemas, where, patterns)
  const requestBody = isUnsafe ? bodyOf(inputs, schemas, where) : undefined
  const security = described.security ?? securityOf(contracts, shared.schemes)
  const deprecated = described.deprecated ?? contracts.some((contract) => contract.deprecated)
  return {
    operationId: shared.idOf(described.operationId, method, template.path),
    ...(summary !== undefined && { summary }),
    ...(description !== undefined && { description }),
    ...(tags && { tags: [...tags] }),
    ...(deprecated && { deprecated }),
    ...(security && { security: [...security] }),
    ...(parameters.length && { parameters }),
    ...(requestBody && { requestBody }),
    responses: responsesOf(responses, contracts, isUnsafe, schemas, where, shared.formats),
  }
}
