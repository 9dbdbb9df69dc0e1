export { noContent } from '../platform/short-response.ts'
