export { addFields, adopt, createResponse, withoutBody } from '../platform/response.ts'
