import assert from 'node:assert/strict'
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { binaries } from './binaries.mjs'
import { checkRow } from './check.mjs'
import { logOf, startServer, within } from './child.mjs'
import { ask, closeClient } from './client.mjs'
import { askExample, placeExample, runExample } from './examples.mjs'
import { lifecycle } from './lifecycle.mjs'
import { methodRows, rows } from './rows.mjs'
import { appStories, edgeStories, stories } from './stories.mjs'
import { pack, root, tools, unpack } from './tools.mjs'
import { socketStories } from './websocket.mjs'
import { startWorkerd } from './workerd.mjs'

/**
 * One behavioural suite over real sockets, on every runtime: `node test/runtime/run.mjs [runtime …]`. The package is packed, and installed
 * in `.tools/app` as a user has it. A line per runtime; exit code 1 when a test failed.
 */
const here = fileURLToPath(new URL('.', import.meta.url))

/** What a user's folder would hold: the packed package and the files of the suite. */
const prepare = () => {
  const folder = join(tools, 'app')
  mkdirSync(folder, { recursive: true })
  unpack(pack(), folder)
  cpSync(join(root, 'node_modules/kysely'), join(folder, 'node_modules/kysely'), { recursive: true })
  cpSync(join(root, 'node_modules/ws'), join(folder, 'node_modules/ws'), { recursive: true })
  for (const file of ['app.mjs', 'app-middleware.mjs', 'server.mjs', 'worker.mjs'])
    cpSync(join(here, file), join(folder, file))
  writeFileSync(
    join(folder, 'package.json'),
    '{ "private": true, "type": "module", "dependencies": { "sluice": "*", "kysely": "*", "ws": "*" } }\n',
  )
  // Bun obeys the `paths` of the nearest tsconfig.json: that of the repository would lead it to the sources
  writeFileSync(join(folder, 'tsconfig.json'), '{}\n')
  writeFileSync(join(folder, '.env.test'), 'FROM_FILE="a line of a file"\nGREETING=not this one\n')
  return folder
}

/** A door of a runtime as a list of tests: `[sentence, run]`. */
const doorTests = (door, origin, facts) => [
  ...[...rows, ...(door === 'createApp' ? methodRows : [])].map((row) => [
    `${door}: ${row[0]}`,
    () => checkRow(origin, row),
  ]),
  ...[...stories, ...socketStories, ...(door === 'createApp' ? appStories : [])].map(([name, run]) => [
    `${door}: ${name}`,
    () => run(origin, facts),
  ]),
]

/** `Bun.serve({ fetch: app.fetch })` and `Deno.serve(app.fetch)`: the application without `listen`. */
const bareTests = (origin) => [
  ['bare: R9 fetch is bound', async () => assert.equal((await ask(origin, 'GET /users/me')).text, 'static')],
  [
    'bare: the address comes from the runtime',
    async () => assert.equal((await ask(origin, 'GET /address')).json().address, '127.0.0.1'),
  ],
]

const serverTests = async (name, command, folder) => {
  const log = logOf(folder, name)
  const server = startServer(command, folder, log, { GREETING: 'hello from the environment' })
  const { urls, env, error } = await server.say('doors')
  if (error) throw new Error(error)
  const facts = { name, edge: false }
  const other = startServer(command, folder, log)
  return {
    tests: [
      ['env() and loadEnv()', async () => assert.deepEqual(env, ['hello from the environment', 'a line of a file'])],
      ...doorTests('createApp', urls.createApp, facts),
      ...doorTests('pipe', urls.pipe, facts),
      ...(urls.bare ? bareTests(urls.bare) : []),
      ...(urls.bare ? [[`examples/${name}`, () => runExample(name, command, folder)]] : []),
      // Deno holds a process with a socket that was cut off for its idle timeout: there, in the server that ends by a signal
      ...lifecycle.map(([sentence, run]) => [
        `listen: ${sentence}`,
        () => run(name === 'deno' && /cut off/.test(sentence) ? server.say : other.say, name),
      ]),
      [
        'a process whose servers are closed ends by itself',
        async () => {
          await other.say('exit')
          assert.equal(await within(5000, other.exited, 'the end of the process'), 0)
        },
      ],
    ],
    stop: () => [server, other].map((one) => one.stop()),
  }
}

const imported = async (origin, subpaths) => {
  const found = (await ask(origin, 'GET /')).json()
  assert.deepEqual(Object.keys(found).sort(), subpaths)
}

const workerdTests = async (command, folder) => {
  const example = placeExample('worker', 'worker.ts', folder)
  const { origins, onEdge, subpaths, stop } = await startWorkerd(command, folder, example)
  const facts = { name: 'workerd', edge: true }
  return {
    tests: [
      ...doorTests('createApp', origins.createApp, facts),
      ...doorTests('pipe', origins.pipe, facts),
      ...edgeStories.map(([sentence, run]) => [sentence, () => run(origins.createApp, facts)]),
      ['examples/worker', () => askExample('worker', origins.example)],
      ['every subpath is imported at module scope', () => imported(origins.importAll, onEdge)],
      ['the database as well, with nodejs_compat', () => imported(origins.importNode, subpaths)],
      [
        'passwords are hashed with nodejs_compat',
        async () => assert.deepEqual((await ask(origins.passwords, 'GET /')).json(), [true, true, false, true, false]),
      ],
    ],
    stop,
  }
}

const runAll = async (name, tests) => {
  const failures = []
  for (const [sentence, run] of tests) {
    try {
      await within(30_000, run(), sentence)
    } catch (error) {
      failures.push(`  ${sentence}\n    ${error.message.replaceAll('\n', '\n    ')}`)
    }
  }
  console.log(`${name} ${tests.length - failures.length} passed, ${failures.length} failed`)
  if (failures.length) console.log(failures.join('\n'))
  return failures.length === 0
}

const commands = binaries()
const wanted = process.argv.slice(2).length ? process.argv.slice(2) : Object.keys(commands)
const folder = prepare()
let green = true
for (const name of wanted) {
  try {
    const { tests, stop } =
      name === 'workerd'
        ? await workerdTests(commands.workerd, folder)
        : await serverTests(name, commands[name], folder)
    green = (await runAll(name, tests)) && green
    stop()
  } catch (error) {
    green = false
    console.log(`${name} did not start: ${error.stack}\n  see ${join(folder, `${name}.log`)}`)
  }
}
closeClient()
process.exit(green ? 0 : 1)
