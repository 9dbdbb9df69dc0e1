import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Root of the repository. */
export const root = fileURLToPath(new URL('../..', import.meta.url))

/** Where everything is put that tests install: ignored by git, kept between runs. */
export const tools = join(root, '.tools')

/**
 * Install what a folder's package.json and lock file name into `.tools/<name>`, unless it is there already. Install scripts do not run:
 * the runtimes and compilers come as files of platform packages.
 *
 * @returns the folder
 */
export const install = (name, source) => {
  const folder = join(tools, name)
  const files = ['package.json', 'package-lock.json']
  const wanted = files.map((file) => readFileSync(join(source, file), 'utf8')).join('')
  const stamp = join(folder, 'installed')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return folder
  console.log(`installing ${name} into .tools`)
  mkdirSync(folder, { recursive: true })
  for (const file of files) cpSync(join(source, file), join(folder, file))
  // Not `npm ci`: it refuses a lock that lacks packages of other platforms, which a registry need not have
  npm(['install', '--ignore-scripts', '--no-audit', '--no-fund'], folder)
  writeFileSync(stamp, wanted)
  return folder
}

/** Run npm, quietly unless it fails. @returns what it printed */
export const npm = (args, cwd) =>
  execFileSync('npm', ['--loglevel=error', ...args], {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: 600_000,
  })

/**
 * Pack the package as it would be published. `npm pack` builds it first; SLUICE_DIST=keep takes the build that is there.
 *
 * @returns path of the tarball
 */
export const pack = () => {
  mkdirSync(tools, { recursive: true })
  if (process.env.SLUICE_DIST !== 'keep') npm(['run', 'build', '--', '--silent'], root)
  const [{ filename }] = JSON.parse(npm(['pack', '--ignore-scripts', '--json', '--pack-destination', tools], root))
  return join(tools, filename)
}

/** Unpack a tarball as `node_modules/sluice` of a folder, as a consumer has it. */
export const unpack = (tarball, folder) => {
  const target = join(folder, 'node_modules/sluice')
  execFileSync('rm', ['-rf', target])
  mkdirSync(target, { recursive: true })
  execFileSync('tar', ['xzf', tarball, '-C', target, '--strip-components=1'])
  return target
}
