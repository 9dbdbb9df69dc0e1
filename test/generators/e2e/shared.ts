import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Global setup of the project e2e: a folder for what its files need alike, such as the packed package. */
export default (): (() => void) => {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'sluice-e2e-'))
  // The processes of the test files inherit it
  process.env.SLUICE_SHARED = folder
  return () => rmSync(folder, { recursive: true, force: true })
}
