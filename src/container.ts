export {
  alias,
  bindClass,
  construct,
  extend,
  forget,
  makeAsync,
  type Names,
  override,
  type Restore,
} from './container/bindings.ts'
export { type Binding, Container, type Factory, type Lifetime, type Token, token } from './container/container.ts'
export { createScope, type Dispose, Scope, scoped } from './container/scope.ts'
