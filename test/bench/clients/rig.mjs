/** Starts the contenders and their clients, each in a process of its own. */
import { execFileSync, fork } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const here = (path) => fileURLToPath(new URL(path, import.meta.url))

/** End with a message if a process may not open so many files. */
export const openFiles = (name, clients) => {
  const files = Number(execFileSync('sh', ['-c', 'ulimit -n'], { encoding: 'utf8' }))
  if (files >= clients + 100) return
  console.error(`${name}: ${files} open files are not enough for ${clients} clients: ulimit -n ${clients + 2000}`)
  process.exit(1)
}

/** The number below which a part of all is. */
export const quantile = (numbers, part) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length * part)]

/** Bundle the contenders. @returns what starts processes, and what ends them all */
export const createRig = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-clients-'))
  const outfile = join(folder, 'server.mjs')
  await build({
    entryPoints: [here('server.mjs')],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    conditions: ['sluice-source', 'node'],
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url)" },
    logLevel: 'error',
  })
  const children = []
  const startFile = async (file, args, execArgv) => {
    const child = fork(file, args, { execArgv })
    children.push(child)
    const next = () =>
      new Promise((resolve, reject) => {
        const ended = (code) => reject(new Error(`${file} ended with ${code}`))
        child.once('exit', ended)
        child.once('message', (message) => {
          child.off('exit', ended)
          resolve(message)
        })
      })
    const first = await next()
    const ask = (name, given = {}) => {
      const answer = next()
      child.send({ ask: name, ...given })
      return answer
    }
    return { ...first, ask, end: () => child.disconnect() }
  }
  return {
    quantile,
    start: (name) => startFile(here(name), [], []),
    startServer: (kind) => startFile(outfile, [kind], ['--expose-gc']),
    end() {
      for (const child of children) if (child.connected) child.disconnect()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
