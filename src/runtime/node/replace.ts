export { replace } from '../platform/replace.ts'
