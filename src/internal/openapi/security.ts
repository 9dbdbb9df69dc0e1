import type { Contract } from '../route/contract.ts'

/** The security schemes of a document. */
export interface Security {
  readonly schemes: { [name: string]: object }
  /** The security requirements of an operation: every scheme of the middleware before it. */
  required(contracts: readonly Contract[]): Record<string, string[]>[] | undefined
}

/** @param given schemes that the user declared */
export const createSecurity = (given: Readonly<Record<string, object>>): Security => {
  const schemes: { [name: string]: object } = { ...given }
  const nameOf = (wanted: string, scheme: object): string => {
    const text = JSON.stringify(scheme)
    let name = wanted
    // A scheme that the user declared under this name takes precedence, and may have more details
    for (let count = 2; schemes[name] && !given[name] && JSON.stringify(schemes[name]) !== text; count++)
      name = `${wanted}${count}`
    schemes[name] ??= scheme
    return name
  }
  return {
    schemes,
    required: (contracts) => {
      const asked = contracts.flatMap(({ security = {} }) => Object.entries(security))
      if (!asked.length) return undefined
      return [Object.fromEntries(asked.map(([name, scheme]) => [nameOf(name, scheme), []]))]
    },
  }
}
