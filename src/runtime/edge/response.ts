export { addFields, adopt, createResponse, removeField, streamOf, withoutBody } from '../platform/response.ts'
