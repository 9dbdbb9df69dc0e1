import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { filesIn, runCommand } from './run-command.ts'
import { temporaryFolder } from './sandbox.ts'

describe('g auth: what it asks for, and what it leaves alone', () => {
  const generate = async (...lines: string[]) => {
    const root = temporaryFolder()
    mkdirSync(join(root, 'src'))
    writeFileSync(
      join(root, 'src/routes.ts'),
      '// sluice: imports\n\nexport const registerRoutes = (app) => {\n  // sluice: routes\n}\n',
    )
    const outcomes = []
    for (const line of lines) outcomes.push(await runCommand(root, ['g', ...line.split(' ')]))
    return { root, files: filesIn(root), last: outcomes.at(-1) }
  }

  test.each([
    [
      'a model without an address',
      ['model User name:string', 'auth User name:string'],
      'has no column "email" that is unique',
    ],
    ['an address that is not unique', ['model User email:email', 'auth User'], 'has no column "email" that is unique'],
    [
      'a column that is needed',
      ['model User email:email:unique role:enum(admin,user)', 'auth User'],
      'sluice g auth User role:enum(admin,user)',
    ],
    [
      'a field that the model does not have',
      ['model User email:email:unique', 'auth User age:integer'],
      'has no column "age"',
    ],
    ['a field that is unique', ['auth User nick:string:unique'], 'would tell what is there'],
    ['a field that refers to a record', ['auth User team:references(Team)'], 'would tell what is there'],
  ])('2: %s, and nothing is written', async (_, lines, message) => {
    const { last, files } = await generate(...lines)
    expect(last).toMatchObject({ code: 2, err: expect.stringContaining(message) })
    expect(Object.keys(files).filter((path) => !/models\/User\.ts|src\/routes\.ts/.test(path))).toEqual([])
  })

  test('a second run changes nothing, with and without fields', async () => {
    for (const line of ['auth User', 'auth admin/User name:string']) {
      const { root, files, last } = await generate(line)
      expect(last).toMatchObject({ code: 0, err: '' })
      const { code, out } = await runCommand(root, ['g', ...line.split(' ')])
      expect(code).toBe(0)
      expect(out).not.toMatch(/^(?:create|overwrite|update|skip)/m)
      expect(filesIn(root)).toEqual(files)
    }
  })

  test('the routes are registered once; the table of the model runs before that of its credentials', async () => {
    const { root, files } = await generate('auth User', 'auth User')
    expect(files['src/routes.ts']?.match(/userAuthRoutes\(app\)/g)).toHaveLength(1)
    const names = readdirSync(join(root, 'src/database/migrations')).sort()
    expect(names.map((name) => name.slice(18))).toEqual(['create_users_table.ts', 'create_user_credentials_table.ts'])
  })

  test('a model, a password helper and a test database that are there are left alone', async () => {
    const { root } = await generate('auth User')
    for (const path of [
      'src/app/password.ts',
      'src/app/one-time-token.ts',
      'src/app/models/User.ts',
      'test/database.ts',
    ])
      writeFileSync(join(root, path), `${readFileSync(join(root, path), 'utf8')}// ours\n`)
    expect(await runCommand(root, ['g', 'auth', 'User'])).toMatchObject({ code: 0 })
    expect(readFileSync(join(root, 'src/app/password.ts'), 'utf8')).toContain('// ours')
  })

  test('--dry-run writes nothing', async () => {
    const { files, last } = await generate('auth User --dry-run')
    expect(last?.out).toContain('create    src/app/controllers/UserAuthController.ts')
    expect(Object.keys(files)).toEqual(['src/routes.ts'])
  })

  test('production does not start without a secret, nor with a short one; elsewhere a process makes its own', async () => {
    const { root } = await generate('auth User')
    const load = (query: string): Promise<object> =>
      import(/* @vite-ignore */ `${join(root, 'src/app/middleware/user-session.ts')}?${query}`)
    await load('development')
    vi.stubEnv('NODE_ENV', 'production')
    await expect(load('none')).rejects.toThrow('SESSION_SECRET is missing')
    vi.stubEnv('SESSION_SECRET', 'short')
    await expect(load('short')).rejects.toThrow('32 bytes')
    vi.stubEnv('SESSION_SECRET', 'a secret of at least 32 bytes, from the environment')
    await load('long')
    vi.unstubAllEnvs()
  })
})
