/**
 * A record whose keys, such as `__proto__` and `constructor`, are plain data. A class with an empty prototype keeps the
 * fast object layout that `Object.create(null)` loses.
 */
export const NullRecord: new () => Record<string, never> = /* @__PURE__ */ Object.assign(
  function NullRecord() {} as unknown as new () => Record<string, never>,
  { prototype: /* @__PURE__ */ Object.create(null) },
)
