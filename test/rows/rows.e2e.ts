import { execFile, spawn } from 'node:child_process'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
// @ts-expect-error: a script without types
import { binaries } from '../runtime/binaries.mjs'
import { doors } from './doors.ts'
import { rows } from './rows.ts'

const here = fileURLToPath(new URL('.', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'sluice-rows-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const bundle = (entry: string, condition: string, outfile: string) =>
  build({
    entryPoints: [join(here, entry)],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    conditions: ['sluice-source', condition],
    external: ['node:*', 'bun', 'ws'],
    logLevel: 'error',
  })

/** What the rows say on a runtime. */
const told: Record<string, (command: readonly string[]) => Promise<string>> = {
  async workerd(command) {
    await bundle('worker.ts', 'workerd', join(folder, 'worker.js'))
    copyFileSync(join(here, 'config.capnp'), join(folder, 'config.capnp'))
    const child = spawn(command[0]!, ['serve', join(folder, 'config.capnp'), '--control-fd=3'], {
      stdio: ['ignore', 'inherit', 'inherit', 'pipe'],
    })
    try {
      const port = await new Promise<string>((resolve, reject) => {
        child.stdio[3]!.on('data', (line) => resolve(/"port":(\d+)/.exec(`${line}`)![1]!))
        child.once('exit', (code) => reject(new Error(`workerd ended with ${code}`)))
      })
      return await (await fetch(`http://127.0.0.1:${port}/`)).text()
    } finally {
      child.kill('SIGKILL')
    }
  },
}

const tellOn =
  (runtime: string) =>
  async (command: readonly string[]): Promise<string> => {
    const file = join(folder, `${runtime}.mjs`)
    await bundle('main.ts', runtime.replace(/\d+/, ''), file)
    return (await promisify(execFile)(command[0]!, [...command.slice(1), file])).stdout
  }

describe.each(['node20', 'node24', 'bun', 'deno', 'workerd'])('BEYOND §3 and OP1 on %s', (runtime) => {
  let failures: Record<string, string> = {}
  beforeAll(async () => {
    failures = JSON.parse(await (told[runtime] ?? tellOn(runtime))(binaries()[runtime]))
  })

  test.each(Object.keys(rows).flatMap((row) => Object.keys(doors).map((door) => `${row}, ${door}`)))('%s', (title) =>
    expect(failures[title]).toBe(''),
  )
})
