import { spawnSync } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { tool, toolbox } from './workspace.mjs'

/** Bytes of a folder's files. */
export const bytesOf = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0)

/** What publint says of the package, strictly. */
export const publintFindings = async ({ installed }) => {
  const [{ publint }, { formatMessage }] = [await tool('publint'), await tool('publint/utils')]
  const { messages, pkg } = await publint({ pkgDir: installed, pack: false, strict: true })
  return messages.map((message) => formatMessage(message, pkg))
}

/** What "are the types wrong" says of the tarball. */
export const attwFindings = ({ tarball }) => {
  const bin = join(toolbox, 'node_modules/@arethetypeswrong/cli/dist/index.js')
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [bin, tarball, '--profile', 'esm-only', '--format', 'ascii'],
    {
      encoding: 'utf8',
      timeout: 180_000,
    },
  )
  return status === 0 ? [] : [`${stdout}${stderr}`.slice(0, 3000)]
}
