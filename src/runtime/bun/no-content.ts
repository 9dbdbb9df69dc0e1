export { noContent } from '../platform/no-content.ts'
