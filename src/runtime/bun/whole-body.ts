export { brokenOff, readWhole } from '../platform/whole-body.ts'
