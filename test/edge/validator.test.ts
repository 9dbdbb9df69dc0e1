import { vi } from 'vitest'

/** The tests of the validator once more, where the platform's own reader of JSON is used. */
vi.mock('#runtime/core', async (load) => ({
  ...(await load<object>()),
  ...(await import('../../src/runtime/edge/whole-body.ts')),
}))

await import('../middleware/validator.test.ts')
