import { spawn } from 'node:child_process'
import { openSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const children = new Set()

process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL')
})

/** Start a process that ends with this one at the latest. */
export const start = (command, args, options) => {
  const child = spawn(command, args, options)
  children.add(child)
  child.once('exit', () => children.delete(child))
  return child
}

/** A promise that is given up after a while. */
export const within = (ms, promise, what) => {
  let timer
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what}: not within ${ms} ms`)), ms)
  })
  return Promise.race([promise, late]).finally(() => clearTimeout(timer))
}

/** Where what a process complains about goes: errors are provoked on purpose, so it would drown the results. */
export const logOf = (folder, name) => openSync(join(folder, `${name}.log`), 'w')

/**
 * Run `server.mjs` in a runtime and talk to it in lines of JSON.
 *
 * @returns `say(command, fields)`, which resolves to the reply, and `exited`, which resolves to the exit code
 */
export const startServer = ([command, ...args], cwd, log, env = {}) => {
  const child = start(command, [...args, 'server.mjs'], {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', log],
  })
  const waiting = new Map()
  const exited = new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', resolve)
  })
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (!line.startsWith('{"for":')) return console.log(`  ${line}`)
    const reply = JSON.parse(line)
    waiting.get(reply.for)(reply)
  })
  let calls = 0
  const say = (name, fields) => {
    const call = ++calls
    const reply = new Promise((resolve) => waiting.set(call, resolve))
    child.stdin.write(`${JSON.stringify({ command: name, call, ...fields })}\n`)
    const died = exited.then((code) => Promise.reject(new Error(`${command} has exited with ${code}`)))
    died.catch(() => {})
    return within(15_000, Promise.race([reply, died]), name)
  }
  return { say, exited, stop: () => child.kill('SIGKILL') }
}
