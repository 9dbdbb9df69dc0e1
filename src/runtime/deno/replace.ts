export { replace } from '../../internal/context/replace.ts'
