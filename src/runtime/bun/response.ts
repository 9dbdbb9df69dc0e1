export { addFields, adopt, createTyped as createResponse, withoutBody } from '../platform/response.ts'
