import type { Issue } from '../schema/validation-error.ts'

/** The result of a schema for a value. */
export interface Outcome {
  // any: the output of any schema.
  readonly out: any
  readonly issues: Issue[]
  /** The lengths of the paths of its issues when they were first returned. */
  lengths?: readonly number[]
}

/** A recursive schema that is parsing a value, and the visits that it waits for. */
export interface Visit {
  readonly waits: Set<Visit>
  outcome?: Promise<Outcome>
}

/** Whether a visit waits for `other`, which waits for it: the value contains itself, and both would wait for ever. */
export const isWaiting = (visit: Visit, other: Visit | undefined): boolean => {
  const all = new Set<Visit | undefined>([visit])
  for (const visited of all) for (const next of visited!.waits) all.add(next)
  return all.has(other)
}

export const waitFor = async (visit: Visit, by: Visit | undefined): Promise<Outcome> => {
  by?.waits.add(visit)
  const outcome = await visit.outcome!
  by?.waits.delete(visit)
  return outcome
}
