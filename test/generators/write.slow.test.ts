import { spawn, spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { filesIn } from './run-command.ts'
import { commandArguments, temporaryFolder } from './sandbox.ts'

test('G18: SIGINT at any moment exits with 130, and every file is complete or absent', {
  timeout: 60_000,
}, async () => {
  const whole = temporaryFolder()
  spawnSync(process.execPath, [...commandArguments, 'g', 'service', 'Billing'], { cwd: whole })
  const expected = filesIn(whole)
  const codes: (number | string | null)[] = []
  for (let delay = 300; delay <= 800; delay += 50) {
    const root = temporaryFolder()
    const child = spawn(process.execPath, [...commandArguments, 'g', 'service', 'Billing'], {
      cwd: root,
      stdio: 'ignore',
    })
    const ended = new Promise<number | string | null>((resolve) =>
      child.once('exit', (code, signal) => resolve(code ?? signal)),
    )
    setTimeout(() => child.kill('SIGINT'), delay)
    codes.push(await ended)
    const files = filesIn(root)
    expect([{}, expected]).toContainEqual(files)
  }
  // Before the command has begun Node itself answers the signal; a command that was faster than the signal ends well.
  for (const code of codes) expect([130, 'SIGINT', 0]).toContain(code)
})
