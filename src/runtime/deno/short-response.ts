export { noContent, shortJson } from '../platform/short-response.ts'
