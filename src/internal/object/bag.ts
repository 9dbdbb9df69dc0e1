/**
 * A record without a prototype, so keys such as `__proto__` and `constructor` are plain data.
 *
 * A class with an empty prototype keeps the fast object layout that `Object.create(null)` gives up.
 */
export const Bag: new () => Record<string, never> = /* @__PURE__ */ (() => {
  // biome-ignore lint/complexity/useArrowFunction: an arrow function cannot be a constructor
  const Empty = function () {} as unknown as { new (): Record<string, never>; prototype: object }
  Empty.prototype = Object.freeze(Object.create(null))
  return Empty
})()
