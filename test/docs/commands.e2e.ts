import { spawn } from 'node:child_process'
import { chmodSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { freePort } from '../free-port.mjs'
import { installAlone, packTarball, plainEnv } from '../generators/e2e/packed.ts'
import { temporaryFolder } from '../generators/sandbox.ts'
import { allBlocks, type Block, isReplayed } from './blocks.ts'
import { conversation } from './run.ts'

/** The pages are one session: docs/cli.md goes on in the project that docs/transcript.md makes. */
const order = (block: Block): number => (block.page === 'docs/transcript.md' ? 0 : 1)
const blocks = allBlocks()
  .filter(isReplayed)
  .sort((one, other) => order(one) - order(other))

/** Between the outputs of two commands. */
const MARK = '=-=-='

/** What pages leave out: logs of the application on standard error, notes of npm, details of TAP. */
const LEFT_OUT =
  /^# (?!Subtest)|^npm (?:warn|notice)|^found # vuln|^(?:---|\.\.\.)$|^duration_ms|^(?:GET|POST) \S+ #|^rateLimiter: /

/** What differs from one machine and run to the next: figures, times, paths, bars, and the order of lines. */
const masked = (text: string): string[] =>
  text
    .replace(/\/\S*\/blog\b/g, '<blog>')
    .replace(/[\w.:-]*\d[\w.:-]*/g, (word) => word.replace(/\d+/g, '#').replace(/#(?:[-_:.T]#)+Z?/g, '#'))
    .replace(/█+/g, '')
    .split('\n')
    .map((line) => line.replace(/\s+/g, ' ').trim())
    .filter((line) => line && !LEFT_OUT.test(line))
    .sort()

let outputs: string[] = []

/** `npx` and `npm` as the page means them: the packed package stands for the published one. */
const shims = (tarball: string, alone: string): string => {
  const folder = temporaryFolder()
  const own = './node_modules/sluice/dist/generators/cli.js'
  const point = `const fs = require('fs'), m = JSON.parse(fs.readFileSync('package.json')); m.dependencies.sluice = 'file:${tarball}'; fs.writeFileSync('package.json', JSON.stringify(m, null, 2) + String.fromCharCode(10))`
  const npm = realpathSync(join(dirname(process.execPath), 'npm'))
  const scripts = {
    npx: `shift; [ -f ${own} ] && exec node ${own} "$@"; exec node ${alone} "$@"`,
    npm: `if [ "$1" = install ]; then node -e "${point.replaceAll('"', '\\"')}"; exec node ${npm} install --no-audit --no-fund --prefer-offline; fi; exec node ${npm} "$@"`,
  }
  for (const [name, script] of Object.entries(scripts)) {
    writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`)
    chmodSync(join(folder, name), 0o755)
  }
  return folder
}

/** All commands in one shell, so that `cd` stays; a server goes to the background until the session ends. */
const script = (port: number): string =>
  blocks
    .flatMap(conversation)
    .map(({ command }) => {
      const line = command.replaceAll('localhost:3000', `localhost:${port}`)
      return /^npx sluice dev/.test(line)
        ? `${line} > dev.log 2>&1 & for n in $(seq 300); do curl -s -o /dev/null localhost:${port} && break; sleep 0.1; done; head -1 dev.log`
        : line.replace(/^curl /, 'curl -s ')
    })
    .map((line) => `${line}\necho '${MARK}'`)
    .join('\n')

beforeAll(async () => {
  const tarball = packTarball()
  const bin = shims(tarball, installAlone(tarball).command)
  const cwd = temporaryFolder()
  mkdirSync(cwd, { recursive: true })
  const port = await freePort()
  const env = plainEnv({ PORT: `${port}`, PATH: `${bin}:${process.env.PATH}` })
  const shell = spawn('bash', ['-c', `${script(port)}\nkill $(jobs -p)`], { cwd, env, detached: true })
  let output = ''
  for (const stream of [shell.stdout, shell.stderr])
    stream.on('data', (chunk) => {
      output += chunk
    })
  const deadline = setTimeout(() => process.kill(-shell.pid!, 'SIGKILL'), 280_000)
  await new Promise((resolve) => shell.once('close', resolve))
  clearTimeout(deadline)
  outputs = output.split(`${MARK}\n`)
})

test.each(
  blocks
    .flatMap((block) => conversation(block).map((each) => ({ block, ...each })))
    .map(({ block, command, printed }, index) => [`${block.page}:${block.line}`, command, printed, index] as const),
)('%s: %s prints what the page says', (_, command, printed, index) => {
  const expected = /^npx sluice dev/.test(command) ? printed.split('\n')[0]! : printed
  expect(masked(outputs[index] ?? '')).toEqual(masked(expected))
})
