export {
  alias,
  type BindingNames,
  bindClass,
  construct,
  extend,
  forget,
  makeAsync,
  override,
  type Restore,
} from './container/bindings.ts'
export { type Binding, Container, type Factory, type Lifetime, type Token, token } from './container/container.ts'
export { createScope, type Dispose, Scope, scoped } from './container/scope.ts'
