export { bytesOf, limitBody, textOf } from '../../internal/body/read-body.ts'
export { headerOf, pathOf, searchOf } from './path.ts'
export { rereadable } from './rereadable.ts'
