/** As the platform's Cache API: keys are addresses, values responses that are read once. */
export const fakeCaches = () => {
  const kept = new Map<string, Response>()
  return {
    match: async (key: string) => kept.get(new URL(key).href)?.clone(),
    put: async (key: string, response: Response) => void kept.set(new URL(key).href, response),
    delete: async (key: string) => kept.delete(new URL(key).href),
  }
}
