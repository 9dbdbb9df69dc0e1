import type { Contract } from '../route/contract.ts'
import { alternativesOf } from './security.ts'

/** The contracts that apply to a route with this path, if one may be that of a combination. */
export const partsOf = (contract: Contract, path: string): readonly Contract[] => {
  const { parts, any, isExempt } = contract
  if (!parts) return [contract]
  if (isExempt?.(path)) return []
  const each = parts.map(({ describes }) => (describes ? partsOf(describes, path) : []))
  if (!any) return each.flat()
  // If all refuse, the response is that of the last one
  const answers = each.at(-1)!.flatMap((one) => one.answers ?? [])
  return [{ answers, alternatives: each.flatMap(alternativesOf) }]
}
