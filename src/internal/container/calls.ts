/** The part of a binding that an error shows. */
interface Named {
  readonly name: string
}

/** What is being made at this moment, outermost first. Empty between synchronous runs. */
const making: Named[] = []

/** A factory that cannot be called while it is running. */
export const guarded =
  <Owner, T>(binding: Named, factory: (container: Owner) => T): ((container: Owner) => T) =>
  (container) => {
    if (making.includes(binding)) throw circle([...making, binding])
    making.push(binding)
    try {
      return call(factory, container, binding)
    } finally {
      making.pop()
    }
  }

/** The error for a value that depends on itself. */
export const circle = (path: readonly Named[]): Error =>
  new Error(`Circular dependency: ${path.map((binding) => binding.name).join(' -> ')}`)

// any: a container, which this lower module cannot import
type Call = <T>(factory: (container: any) => T, container: any, binding: any) => T

let call: Call = (factory, container) => factory(container)

/** Replace how factories are called from now on: `makeAsync` tracks which binding needs which. */
export const callFactoriesWith = (other: Call): void => {
  call = other
}
