export { emptyResponse } from '../platform/empty-response.ts'
