export { addFields, adopt, createResponse, removeField, streamOf } from '../platform/response.ts'
export { withoutBody } from '../platform/without-body.ts'
