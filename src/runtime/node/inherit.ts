/** Names of the platform's classes that ours stand in for. */
type PlatformClass = 'Headers' | 'Request' | 'Response'

/**
 * Put a platform class into the prototype chain of ours, so that `instanceof` holds, without touching the global yet: the first touch loads undici,
 * some 15 ms of a cold start that most processes never need.
 *
 * @param whenLoaded called once, when the platform's class is there
 *
 * This is the one Proxy outside of the facade. `instanceof` reads prototypes and nothing else could notice; it replaces itself by the real class at once.
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
