import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

/** `TYPESCRIPT` names the `bin/tsc` of another version; the contract is 5.9, 6.0 and 7.0. */
const tsc = process.env.TYPESCRIPT ?? fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url))

test('the types are what the `.test-d.ts` files beside this one say', () => {
  const { stdout, status } = spawnSync(process.execPath, [tsc, '-p', fileURLToPath(new URL('.', import.meta.url))], {
    encoding: 'utf8',
  })
  expect({ stdout, status }).toEqual({ stdout: '', status: 0 })
}, 400_000)
