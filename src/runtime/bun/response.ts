export { addFields, createResponse, mutable, withoutBody } from '../platform/response.ts'
