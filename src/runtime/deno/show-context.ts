export { showContext } from '../platform/show-context.ts'
