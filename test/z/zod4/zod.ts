export * from '../../../src/z.ts'
export * as z from '../../../src/z.ts'
