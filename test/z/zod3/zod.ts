export * from '../../../src/zod3.ts'
export * as z from '../../../src/zod3.ts'
export { util } from './util.ts'
