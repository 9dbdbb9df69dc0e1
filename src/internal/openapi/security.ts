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

/** The schemes of a document; those that the user declared may have more details than those of middleware. */
export interface SecuritySchemes {
  readonly all: { [name: string]: object }
  readonly declared: Schemes
}

/** The security requirements of an operation, from all middleware before it. Adds its schemes to the document. */
export const securityOf = (
  contracts: readonly Contract[],
  { all, declared }: SecuritySchemes,
): Record<string, string[]>[] | undefined => {
  const add = (preferred: string, scheme: object): string => {
    const text = JSON.stringify(scheme)
    const name = freeName(preferred, (taken) => all[taken] && !declared[taken] && JSON.stringify(all[taken]) !== text)
    all[name] ??= scheme
    return name
  }
  const alternatives = alternativesOf(contracts).map((schemes) => Object.entries(schemes))
  if (alternatives.every((schemes) => !schemes.length)) return undefined
  return alternatives.map((schemes) => Object.fromEntries(schemes.map(([name, scheme]) => [add(name, scheme), []])))
}
