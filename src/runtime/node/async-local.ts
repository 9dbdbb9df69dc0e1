export { asyncLocal } from '../platform/async-local.ts'
