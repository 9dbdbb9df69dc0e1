export { bytesOf, limitBody, textOf } from './body.ts'
export { headerOf, pathOf, searchOf } from './path.ts'
export { rereadable } from './rereadable.ts'
