import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runCommand } from './run-command.ts'
import { commandArguments, linkPackages, temporaryFolder } from './sandbox.ts'

const SECRET = 'a secret of at least 32 bytes, from the environment'

test('g auth: the command counts as development if NODE_ENV is not set, and as production if it says so', async () => {
  const root = temporaryFolder()
  mkdirSync(join(root, 'src'))
  writeFileSync(
    join(root, 'src/routes.ts'),
    "import { createApp } from 'sluice'\n// sluice: imports\n\nexport const routes = createApp()\n// sluice: routes\n",
  )
  expect(await runCommand(root, ['g', 'auth', 'User'])).toMatchObject({ code: 0 })
  linkPackages(root)
  writeFileSync(join(root, 'package.json'), '{"type":"module"}')
  writeFileSync(join(root, 'src/app.ts'), "export { routes as app } from './routes.ts'\n")
  const routes = (env: object) =>
    spawnSync(process.execPath, [...commandArguments, 'routes', '--cwd', root], {
      encoding: 'utf8',
      env: { PATH: process.env.PATH, ...env },
    })
  expect(routes({})).toMatchObject({ status: 0, stdout: expect.stringContaining('/users/login') })
  const NODE_ENV = 'production'
  expect(routes({ NODE_ENV })).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('SESSION_SECRET is missing'),
  })
  expect(routes({ NODE_ENV, SESSION_SECRET: SECRET })).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('UserMail.ts sends no mail yet'),
  })
})
