export { array } from './z/array.ts'
export { number } from './z/number.ts'
export { object } from './z/object.ts'
export { string } from './z/string.ts'
