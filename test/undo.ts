import { afterAll, vi } from 'vitest'

/** Files share a process, so what a file has replaced ends with it. */
afterAll(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
  vi.unstubAllGlobals()
})
