import { afterEach, beforeEach, vi } from 'vitest'

/** Counts rejections that nobody handles, which would end the process of a user, in each test of a file or group. */
export const watchUnhandled = () => {
  const unhandled = vi.fn()
  beforeEach(() => {
    process.on('unhandledRejection', unhandled)
  })
  afterEach(() => {
    process.off('unhandledRejection', unhandled)
    unhandled.mockReset()
  })
  return unhandled
}
