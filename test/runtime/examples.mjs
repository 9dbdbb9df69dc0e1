import assert from 'node:assert/strict'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { start, within } from './child.mjs'
import { ask } from './client.mjs'
import { root } from './tools.mjs'

/** What each example answers, and how it is asked. */
const ANSWERS = {
  bun: [
    ['GET /', 'Hello from Bun'],
    ['GET /ticks', /event: tick\ndata: \{"tick":5\}/],
  ],
  deno: [
    ['GET /', 'Hello from Deno'],
    [
      { line: 'POST /echo', headers: { 'content-type': 'application/json' }, body: '{"any":"thing"}' },
      '{"any":"thing"}',
    ],
  ],
  worker: [
    ['GET /', 'hello from the environment from a worker'],
    [
      { line: 'POST /greetings', headers: { 'content-type': 'application/json' }, body: '{"name":"Ada"}' },
      '{"hello":"Ada"}',
    ],
    [{ line: 'POST /greetings', headers: { 'content-type': 'application/json' }, body: '{"name":""}' }, /too_small/],
  ],
}

/** Copy an example to where a user would have it: beside an installed package. @returns its file name */
export const placeExample = (name, file, folder) => {
  const target = `example-${name}-${file}`
  cpSync(join(root, 'examples', name, file), join(folder, target))
  return target
}

/** Ask an example what its comment says. */
export const askExample = async (name, origin) => {
  const expected = [['GET /hello/Ada', '{"hello":"Ada"}'], ...ANSWERS[name]]
  for (const [question, answer] of expected) {
    const { text } = await ask(origin, question)
    if (typeof answer === 'string') assert.equal(text, answer)
    else assert.match(text, answer)
  }
}

/** Run an example that listens, and ask it. */
export const runExample = async (name, [command, ...args], folder) => {
  const file = placeExample(name, 'server.ts', folder)
  const child = start(command, [...args, file], {
    cwd: folder,
    env: { ...process.env, PORT: '0' },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const listening = new Promise((resolve) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const port = /:(\d+)$/.exec(line)?.[1]
      if (line.startsWith('Listening')) resolve(`http://127.0.0.1:${port}`)
    })
  })
  try {
    await askExample(name, await within(10_000, listening, `examples/${name}`))
  } finally {
    child.kill('SIGKILL')
  }
}
