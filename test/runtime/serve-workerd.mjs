import { spawn } from 'node:child_process'
import process from 'node:process'

/** The binary of workerd: `SLUICE_WORKERD`, else the one that the runtime suite installs. */
const binary = async () =>
  process.env.SLUICE_WORKERD ?? (await import('./binaries.mjs').then(({ binaries }) => binaries().workerd[0]))

/** Start workerd with a configuration, and wait until it listens. @returns its port, and its process */
export const serveWorkerd = async (config, args = []) => {
  const child = spawn(await binary(), ['serve', config, '--control-fd=3', '--experimental', ...args], {
    stdio: ['ignore', 'inherit', 'inherit', 'pipe'],
  })
  const port = await new Promise((resolve, reject) => {
    let seen = ''
    child.stdio[3].on('data', (chunk) => {
      seen += chunk
      const found = /"port":(\d+)/.exec(seen)
      if (found) resolve(Number(found[1]))
    })
    child.once('exit', (code) => reject(new Error(`workerd exited with ${code}`)))
    setTimeout(() => reject(new Error('workerd does not listen')), 15_000).unref()
  })
  return { port, child }
}

/** Run tests by name, one after the other, and say how each went. @returns how many have failed */
export const runStories = async (stories) => {
  let failed = 0
  for (const [name, story] of Object.entries(stories)) {
    try {
      await story()
      console.log(`ok   ${name}`)
    } catch (error) {
      failed++
      console.log(`FAIL ${name}\n${error}`)
    }
  }
  return failed
}
