/**
 * Builds the site: `node site/run.mjs` writes `site/dist`, `node site/run.mjs dev` serves it while pages change.
 *
 * Offline, once `site/node_modules` is there: `npm ci` fills it from `site/package-lock.json`. The package is built
 * before, if `dist` is missing; `npm run build` refreshes it.
 */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const here = fileURLToPath(new URL('.', import.meta.url))
const root = fileURLToPath(new URL('..', import.meta.url))

/** Run a command to its end. A command that fails ends the build with its status. */
const run = (command, args, cwd = here) =>
  new Promise((resolve) => {
    spawn(command, args, { cwd, stdio: 'inherit' }).on('exit', (status) => {
      if (status !== 0) process.exit(status ?? 1)
      resolve()
    })
  })
const script = (name) => run(process.execPath, [name])

if (!existsSync(`${here}node_modules/vitepress`))
  await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'])
if (!existsSync(`${root}dist/index.d.ts`)) await run('npm', ['run', 'build', '--silent'], root)
await script('stage.mjs')
await Promise.all([script('reference.mjs'), script('playground/build.mjs')])
await run('npx', ['vitepress', process.argv[2] === 'dev' ? 'dev' : 'build', '.'])
