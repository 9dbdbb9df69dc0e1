import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

test('a database lives from its first migration to its last rollback, in a process with no test runner around it', async () => {
  const script = fileURLToPath(new URL('smoke.ts', import.meta.url))
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--conditions=sluice-source', '--import', 'tsx', script],
    {
      env: { ...process.env, NODE_OPTIONS: '' },
    },
  )
  expect(stdout.trim()).toBe('ok')
})
