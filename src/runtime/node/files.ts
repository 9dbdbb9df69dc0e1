export { assetsOf, openRoot } from '../platform/node-files.ts'
