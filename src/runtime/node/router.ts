export { createRadixRouter as createRouter } from '../../internal/route/radix.ts'
