export { checkAnswers } from './openapi/check-answers.ts'
export {
  type DescribeCheck,
  type Described,
  type DescribeOptions,
  describe,
  type ResponseDescription,
  type ResponseDescriptions,
} from './openapi/describe.ts'
export { type OpenApiDocument, type OpenApiOptions, openapi } from './openapi/document.ts'
export { named } from './openapi/named.ts'
export { type ApiReferenceOptions, apiReference } from './openapi/reference.ts'
export { openapiRoute } from './openapi/route.ts'
