import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { install } from './tools.mjs'

const { platform, arch } = process

/** Names of the platform packages that hold a binary, and where in them it lies. */
const places = {
  node22: [`node22-${platform}-${arch}/bin/node`],
  node24: [`node24-${platform}-${arch}/bin/node`],
  bun: [
    `@oven/bun-${platform}-${arch === 'arm64' ? 'aarch64' : arch}/bin/bun`,
    `@oven/bun-${platform}-${arch}-baseline/bin/bun`,
  ],
  deno: [`@deno/${platform}-${arch}-glibc/deno`, `@deno/${platform}-${arch}/deno`],
  workerd: [`@cloudflare/workerd-${platform}-${arch === 'x64' ? '64' : arch}/bin/workerd`],
}

/** Commands that run a script, by runtime. `SLUICE_BUN=/path/to/bun` and the like take a binary of one's own. */
export const binaries = () => {
  const folder = install('runtimes', fileURLToPath(new URL('./tools', import.meta.url)))
  const find = (name) => {
    const own = process.env[`SLUICE_${name.toUpperCase()}`]
    if (own) return own
    const found = places[name].map((place) => join(folder, 'node_modules', place)).find(existsSync)
    if (!found) throw new Error(`No ${name} for ${platform}-${arch}: name one by SLUICE_${name.toUpperCase()}`)
    return found
  }
  return {
    node20: [process.execPath],
    node22: [find('node22')],
    node24: [find('node24')],
    bun: [find('bun')],
    deno: [find('deno'), 'run', '--quiet', '--no-lock', '--allow-all'],
    workerd: [find('workerd')],
  }
}
