import { join } from 'node:path'
import { build } from 'esbuild'

/** Files that a process of Node opens when it imports a door: each costs as much as 50 kB of code. */
const LIMITS = { index: 6, app: 4, tiny: 4, pipe: 4, z: 3, 'z/mini': 2 }

/** Doors that open more files than they may. Only imports that are always loaded count. */
export const doorsWithManyFiles = async ({ installed }) => {
  const findings = []
  for (const [door, limit] of Object.entries(LIMITS)) {
    const { metafile } = await build({
      absWorkingDir: installed,
      entryPoints: [join(installed, 'dist', `${door}.js`)],
      bundle: true,
      write: false,
      metafile: true,
      treeShaking: false,
      platform: 'node',
      format: 'esm',
    })
    const opened = new Set([`dist/${door}.js`])
    for (const file of opened)
      for (const { path, kind, external } of metafile.inputs[file].imports)
        if (kind === 'import-statement' && !external) opened.add(path)
    if (opened.size > limit) findings.push(`${door}: ${opened.size} files, not ${limit}: ${[...opened].join(', ')}`)
  }
  return findings
}
