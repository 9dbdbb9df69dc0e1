/** Names of the platform classes that ours replace. */
type PlatformClass = 'Headers' | 'Request' | 'Response'

/**
 * Put a platform class into the prototype chain of ours, so that `instanceof` works, without accessing the global yet:
 * the first access loads undici, some 15 ms of a cold start that most processes never need.
 *
 * @param whenLoaded called once, when the platform's class is loaded
 *
 * This is the only Proxy besides the facade. `instanceof` reads prototypes, and nothing else can notice; it immediately
 * replaces itself with the real class.
 */
export const inheritFrom = (
  Class: { readonly prototype: object },
  name: PlatformClass,
  whenLoaded: () => void = () => {},
): void => {
  const getPrototypeOf = (): object => {
    const { prototype } = globalThis[name]
    Object.setPrototypeOf(Class.prototype, prototype)
    whenLoaded()
    return prototype
  }
  Object.setPrototypeOf(Class.prototype, new Proxy({}, { getPrototypeOf }))
}
