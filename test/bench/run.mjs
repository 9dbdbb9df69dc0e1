import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/**
 * `npm run bench [-- runtimes|fetch|router|z|z-compiled|cold-start|clients|rate …]`: sets itself up, then prints figures beside peers, in interleaved rounds. Figures of one run compare; those of two do not.
 */
const here = (path) => fileURLToPath(new URL(path, import.meta.url))
const [only, ...rest] = process.argv.slice(2)

if (!existsSync(here('./node_modules')))
  execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: here('.'), stdio: 'inherit' })
if (!existsSync(here('../../dist/index.js')))
  execFileSync('npm', ['run', 'build', '--silent'], { cwd: here('../..'), stdio: 'inherit' })

for (const name of ['runtimes', 'fetch', 'router', 'z', 'z-compiled', 'cold-start', 'clients', 'rate']) {
  // At its full size it takes minutes of both cores of a small machine: only when it is named
  if (only ? only !== name : name === 'rate') continue
  if (name === 'runtimes' && spawnSync('wrk', ['-v']).error) {
    console.log('runtimes: skipped, wrk is not installed (apt-get install wrk)')
    continue
  }
  console.log(`\n${name}`)
  const { status } = spawnSync(process.execPath, [here(`./${name}.mjs`), ...rest], { stdio: 'inherit' })
  if (status) process.exitCode = status
}
