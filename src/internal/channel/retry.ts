/**
 * Work until it succeeds, with growing pauses between the attempts.
 *
 * @param isWanted asked before each attempt: if false, nothing more is tried
 * @throws what the last attempt threw, once this has taken longer than so many milliseconds
 */
export const retry = async (giveUpMs: number, isWanted: () => boolean, work: () => Promise<unknown>): Promise<void> => {
  const since = performance.now()
  for (let pauseMs = 20; isWanted(); pauseMs = Math.min(1000, pauseMs * 2)) {
    try {
      await work()
      return
    } catch (error) {
      if (performance.now() - since > giveUpMs) throw error
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
  }
}
