/** The names that `named` has set, by schema. */
export const nameBySchema: WeakMap<object, string> = /* @__PURE__ */ new WeakMap()

/** The name itself, or with the first number from 2 on that is free. */
export const freeName = (preferred: string, isTaken: (name: string) => unknown): string => {
  let name = preferred
  for (let count = 2; isTaken(name); count++) name = `${preferred}${count}`
  return name
}
