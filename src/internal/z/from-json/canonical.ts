import { MOST_NESTED } from '../nested.ts'

/**
 * A text that is the same for equal values of JSON, whatever the order of their keys. `undefined` for values that are
 * nested too deeply or in a circle.
 */
export const canonical = (value: unknown): string | undefined => {
  const write = (at: unknown, depth: number): string => {
    if (depth > MOST_NESTED) throw DEEP
    if (Array.isArray(at)) return `[${at.map((item) => write(item, depth + 1)).join(',')}]`
    if (typeof at !== 'object' || at === null) return typeof at === 'string' ? JSON.stringify(at) : `${String(at)}`
    const entries = Object.entries(at).sort(([a], [b]) => (a < b ? -1 : 1))
    return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${write(item, depth + 1)}`).join(',')}}`
  }
  try {
    return write(value, 0)
  } catch (error) {
    if (error === DEEP) return undefined
    throw error
  }
}

const DEEP: unique symbol = /* @__PURE__ */ Symbol('deep')
