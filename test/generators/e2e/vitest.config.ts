import { fileURLToPath } from 'node:url'
import { mergeConfig } from 'vitest/config'
import shared from '../../vitest.config.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))

/** The slow tests of the command: they pack the package, install it, and run what it makes. They stand aside of `npm test`. */
export default mergeConfig(
  { ...shared, test: {} },
  {
    root,
    test: {
      include: ['test/generators/e2e/*.e2e.ts'],
      testTimeout: 180_000,
      hookTimeout: 300_000,
      fileParallelism: false,
    },
  },
)
