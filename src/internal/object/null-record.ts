/** A record whose keys are data, also `__proto__`. A class keeps the fast layout that `Object.create(null)` loses. */
export const NullRecord: new () => Record<string, never> = /* @__PURE__ */ Object.assign(
  function NullRecord() {} as unknown as new () => Record<string, never>,
  { prototype: /* @__PURE__ */ Object.create(null) },
)
