/** A coding of Accept-Encoding with an optional weight (RFC 9110 §12.5.3). */
const CODING = /([\w*-]+)(?:\s*;\s*q=([\d.]+))?/g

/** The codings that the client likes as much as uncompressed bytes, the preferred first; of equals, the first one. */
export const acceptedCodings = (accepted: string, codings: Iterable<string>): string[] => {
  const weights = new Map<string, number>()
  // If a coding occurs twice, the greater weight counts
  for (const [, name, weight] of accepted.toLowerCase().matchAll(CODING))
    weights.set(name!, Math.max(+(weight ?? 1), weights.get(name!) ?? 0))
  const weigh = (coding: string): number => weights.get(coding) ?? weights.get('*') ?? 0
  // 0.001 is the smallest weight above 0, which refuses a coding (RFC 9110 §12.4.2)
  return [...codings]
    .filter((coding) => weigh(coding) >= (weights.get('identity') || 0.001))
    .sort((a, b) => weigh(b) - weigh(a))
}
