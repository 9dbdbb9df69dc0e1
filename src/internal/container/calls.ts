/** A binding, as far as an error shows it. */
interface Named {
  readonly name: string
}

/** What is being made at this moment, outermost first. Empty between synchronous runs. */
const making: Named[] = []

/** A factory that refuses to run while it runs. */
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

/** The error for a value that needs itself. */
export const circle = (path: readonly Named[]): Error =>
  new Error(`Circular dependency: ${path.map((binding) => binding.name).join(' -> ')}`)

// any: a container, which this module below it does not know
type Call = <T>(factory: (container: any) => T, container: any, binding: any) => T

let call: Call = (factory, container) => factory(container)

/** Run factories in another way from now on: `makeAsync` watches who asks for what. */
export const callFactoriesWith = (other: Call): void => {
  call = other
}
