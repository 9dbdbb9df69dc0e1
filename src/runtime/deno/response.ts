export { addFields, adopt, createResponse, removeField, withoutBody } from '../platform/response.ts'
