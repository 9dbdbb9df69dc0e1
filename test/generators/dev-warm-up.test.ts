import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { CHECKOUT, commandArguments, linkPackages, temporaryFolder } from './sandbox.ts'

/** Run a script with the functions of `warm-up.ts` in a process of its own, in a folder. */
const runScript = (folder: string, script: string) => {
  const source = pathToFileURL(join(CHECKOUT, 'generators/dev/warm-up.ts')).href
  const file = join(folder, 'script.mjs')
  writeFileSync(file, `import { storeCompiledCode, warmUp } from ${JSON.stringify(source)}\n${script}`)
  const args = [...commandArguments.slice(0, -1), file]
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' })
  return { status, stdout, stderr }
}

/** Node 20 has no compile cache. */
const hasCache = 'flushCompileCache' in (await import('node:module'))

test('P27: sluice is loaded in advance, without a warning, and warnings work as before', () => {
  const folder = temporaryFolder()
  linkPackages(folder)
  const script = `
    const before = process.emitWarning
    await warmUp(process.cwd())
    const { createApp } = await import(${JSON.stringify(pathToFileURL(join(folder, 'node_modules/sluice/src/index.ts')).href)})
    console.log(typeof createApp, process.emitWarning === before)`
  expect(runScript(folder, script)).toEqual({ status: 0, stdout: 'function true\n', stderr: '' })
})

test('P27: without any package it does nothing and does not fail', () => {
  const folder = temporaryFolder()
  const script = "await warmUp(process.cwd())\nstoreCompiledCode()\nconsole.log('done')"
  expect(runScript(folder, script)).toEqual({ status: 0, stdout: 'done\n', stderr: '' })
  expect(existsSync(join(folder, 'node_modules'))).toBe(false)
})

test.runIf(hasCache)('P27: compiled code is stored below node_modules, and never used for a changed file', () => {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'node_modules'))
  const read = (value: number): string => {
    writeFileSync(join(folder, 'value.mjs'), `export const value = ${value}\n`)
    const { stdout } = runScript(
      folder,
      "await warmUp(process.cwd())\nconst { value } = await import('./value.mjs')\nconsole.log(value)",
    )
    return stdout
  }
  expect(read(1)).toBe('1\n')
  const cache = join(folder, 'node_modules/.cache/sluice')
  expect(readdirSync(cache, { recursive: true }).length).toBeGreaterThan(1)
  expect(read(2)).toBe('2\n')
  rmSync(cache, { recursive: true })
  writeFileSync(cache, 'a file, where the folder would be')
  expect(read(3)).toBe('3\n')
})
