import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const program = fileURLToPath(new URL('../docs/packed.ts', import.meta.url))
const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href

/** Type-check and run every program of README.md and `docs` with the packed package. @returns findings, and a count */
export const docsFindings = ({ folder }) => {
  // Its own settings: those of the repository say that `sluice` is `src`.
  const settings = join(folder, 'tsconfig.json')
  writeFileSync(settings, '{ "compilerOptions": { "module": "nodenext", "target": "es2022" } }\n')
  const { stdout, stderr } = spawnSync(process.execPath, ['--import', tsx, program, folder], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, TSX_TSCONFIG_PATH: settings },
    timeout: 300_000,
  })
  const lines = stdout.trim().split('\n')
  const count = /^\d+ programs$/.test(lines.at(-1) ?? '') ? lines.pop() : undefined
  return { findings: count ? lines : [...lines, stderr], count }
}
