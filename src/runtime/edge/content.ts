export { contentOf } from '../platform/response.ts'
