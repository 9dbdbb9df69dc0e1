import type { Contract } from '../route/contract.ts'
import { freeName } from './names.ts'

type Schemes = Readonly<Record<string, object>>

/** The requirements of all these contracts together: sets of schemes, one of which is enough. */
export const alternativesOf = (contracts: readonly Contract[]): readonly Schemes[] =>
  contracts.reduce<readonly Schemes[]>(
    (all, { security = {}, alternatives = [security] }) =>
      all.flatMap((before) => alternatives.map((alternative) => ({ ...before, ...alternative }))),
    [{}],
  )

export interface Security {
  readonly schemes: { [name: string]: object }
  /** The security requirements of an operation, from all middleware before it. */
  required(contracts: readonly Contract[]): Record<string, string[]>[] | undefined
}

export const createSecurity = (declared: Readonly<Record<string, object>>): Security => {
  const schemes: { [name: string]: object } = { ...declared }
  const nameOf = (preferred: string, scheme: object): string => {
    const text = JSON.stringify(scheme)
    // A scheme that the user declared under this name takes precedence, and may have more details
    const isTaken = (taken: string): boolean =>
      !!schemes[taken] && !declared[taken] && JSON.stringify(schemes[taken]) !== text
    const name = freeName(preferred, isTaken)
    schemes[name] ??= scheme
    return name
  }
  return {
    schemes,
    required: (contracts) => {
      const alternatives = alternativesOf(contracts)
      if (alternatives.every((schemes) => !Object.keys(schemes).length)) return undefined
      return alternatives.map((schemes) =>
        Object.fromEntries(Object.entries(schemes).map(([name, scheme]) => [nameOf(name, scheme), []])),
      )
    },
  }
}
