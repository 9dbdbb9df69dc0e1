export { readWhole } from '../platform/whole-body.ts'
