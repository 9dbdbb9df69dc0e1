/** @throws {TypeError} for anything that is not a function. */
export const checked = <Step>(step: Step): Step => {
  if (typeof step === 'function') return step
  throw new TypeError(`step: expected a handler or a middleware, got ${JSON.stringify(step)}`)
}
