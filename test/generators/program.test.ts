import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { COMMANDS } from '../../generators/commands.ts'
import { KINDS } from '../../generators/kinds.ts'
import { KIND_NAMES } from '../../generators/names/kind-names.ts'
import { paintFor, table, wantsColor } from '../../generators/output.ts'
import { suggest } from '../../generators/suggest.ts'
import { runCommand } from './run-command.ts'
import { linkPackages, temporaryFolder } from './sandbox.ts'

afterEach(() => vi.restoreAllMocks())

/** What sade prints goes to the console itself. */
const printed = (): (() => string) => {
  const log = vi.spyOn(console, 'log').mockImplementation(() => {})
  return () => log.mock.calls.flat().join('\n')
}

describe('help and version', () => {
  test.each([[[]], [['--help']], [['-h']]])('sluice %j lists the commands', async (line) => {
    const help = printed()
    expect((await runCommand('/', line)).code).toBe(0)
    for (const { name } of COMMANDS) expect(help()).toContain(name)
  })

  test.each(COMMANDS.map(({ name }) => name))('sluice %s --help shows its options and leaves with 0', async (name) => {
    const help = printed()
    expect((await runCommand('/', [name, '--help'])).code).toBe(0)
    for (const option of COMMANDS.find((command) => command.name === name)?.options ?? [])
      expect(help()).toContain(`--${option.name}`)
    expect(help()).toContain('--cwd')
  })

  test('g --help is generate --help', async () => {
    const help = printed()
    expect((await runCommand('/', ['g', '--help'])).code).toBe(0)
    expect(help()).toContain('generate <kind> <Name>')
  })

  test.each([
    ['help', ['help'], 'Available Commands'],
    ['help of the help', ['help', 'help'], 'Available Commands'],
    ['help of the help, as an option', ['help', '--help'], 'Available Commands'],
    ['help of a command', ['help', 'g'], 'generate <kind> <Name>'],
    ['help of a command with words for its program', ['help', 'test', '--', 'x'], 'test [file...]'],
  ])('sluice %s', async (_, line, expected) => {
    const help = printed()
    expect((await runCommand('/', line)).code).toBe(0)
    expect(help()).toContain(expected)
  })

  test('the kinds in the help are those that can be generated', async () => {
    expect(KIND_NAMES).toEqual(KINDS.map(({ name }) => name))
  })

  test.each([['--version'], ['-v']])('%s says the version of the package', async (flag) => {
    const help = printed()
    expect((await runCommand('/', [flag])).code).toBe(0)
    const { version } = (await import('../../package.json')).default
    expect(help()).toBe(`sluice, ${version}`)
  })
})

describe('G1, G18: what makes no sense leaves with 2, and says what was meant', () => {
  test.each([
    ['an unknown command', ['generat', 'model', 'User'], 'There is no command "generat". Did you mean "generate"?'],
    ['an unknown database command', ['db:migarte'], 'Did you mean "db:migrate"?'],
    ['an unknown kind', ['g', 'contoller', 'User'], 'There is no kind "contoller". Did you mean "controller"?'],
    [
      'an unknown kind that is near to none',
      ['g', 'xyzzy', 'User'],
      'Kinds: model, controller, middleware, migration, validator, service, factory, seed, provider, auth, resource',
    ],
    ['an unknown option', ['g', 'model', 'User', '--soft-delet'], 'Did you mean "--soft-delete"?'],
    ['an unknown letter', ['g', 'model', 'User', '-z'], 'There is no option -z here'],
    ['a missing kind', ['g'], '<kind> is missing: sluice generate <kind> <Name> [field...]\nWrite a model, '],
    ['a missing name', ['g', 'model'], '<Name> is missing: sluice generate <kind> <Name> [field...]'],
    [
      'the beginning of an option',
      ['new', 'shop', '--dry'],
      'There is no option --dry here. Did you mean "--dry-run"?',
    ],
    ['a part of an option', ['g', 'model', 'User', '--delete'], 'Did you mean "--soft-delete"?'],
    ['a part of a command', ['seed'], 'There is no command "seed". Did you mean "db:seed"?'],
    ['the name of a property that every object has', ['constructor'], 'There is no command "constructor".\nCommands: '],
    ['a project name with spaces', ['new', 'my shop'], '"my shop" is not a name for a project: letters, digits'],
    ['a project name that is not ASCII', ['new', 'Übergröße'], 'is not a name for a project'],
    ['a project name that is a path', ['new', 'shops/blog'], '--cwd is the folder that it is made in'],
    ['a package name with a scope', ['new', '@ada/shop'], 'is not a name for a project'],
    ['a project name that is too long', ['new', 'x'.repeat(101)], 'at most 100'],
    ['a name with backslashes', ['g', 'model', 'admin\\User'], 'with "/" between folders'],
    ['a name that is not ASCII', ['g', 'model', 'Größe'], '"Größe" is not a name: use letters, digits, "-" and "_"'],
    ['a name that is the path of its file', ['g', 'model', './src/app/models/User.ts'], 'is not a name'],
    ['a name that is a path in the project', ['g', 'model', 'src/app/models/User'], 'is not a name, but a path'],
    ['a name that is a path below src', ['g', 'controller', 'app/controllers/admin/User'], 'but a path'],
    ['a word too many', ['g', 'service', 'User', 'Post'], '"Post" is one word too many'],
    ['an option without its value', ['g', 'model', 'User', '--table'], '--table needs a value: --table <name>'],
    ['an option with a letter, without its value', ['dev', '-p'], '-p needs a value: -p <number>'],
    ['an option where the value should be', ['g', 'model', 'User', '--table', '--force'], '--table needs a value'],
    ['an empty value', ['g', 'model', 'User', '--table='], '--table needs a value'],
    ['a value for a switch', ['g', 'model', 'User', '--force=yes'], '--force takes no value'],
    [
      'an option of another kind',
      ['g', 'service', 'Billing', '--soft-delete'],
      '--soft-delete is not an option of a service',
    ],
    [
      'an invalid table name',
      ['g', 'model', 'User', '--table', 'users; drop'],
      '--table "users; drop" is not a table name',
    ],
    ['an unknown field type', ['g', 'model', 'User', 'age:intger'], 'Did you mean "integer"?'],
    ['a field with an invalid name', ['g', 'model', 'User', '1a:string'], 'Cannot read the field "1a:string"'],
    ['a field twice', ['g', 'model', 'User', 'fullName:string,full_name'], 'The field "fullName" is named twice'],
    ['a field that the model has', ['g', 'model', 'User', 'created_at:date'], 'A field cannot be called "createdAt"'],
    ['a field that any object has', ['g', 'model', 'User', 'to_string:string'], 'A field cannot be called "toString"'],
    ['an invalid id type', ['g', 'validator', 'User', '--id', 'ulid'], '--id must be uuid or int'],
    ['a migration in a folder', ['g', 'migration', 'admin/AddAge'], 'without folders'],
    [
      'a folder that is not there',
      ['g', 'model', 'User', '--cwd', '/nowhere/at/all'],
      '--cwd /nowhere/at/all is not a folder',
    ],
    [
      'an option twice with two values',
      ['g', 'model', 'User', '--table', 'a', '--table', 'b'],
      '--table is given more than once',
    ],
    ['an invalid port', ['dev', '--port', '70000', '--app', 'package.json'], '--port must be a number from 0 to 65535'],
    ['a rollback of one and of all', ['db:rollback', '--step', '1', '--all'], '--step and --all exclude each other'],
    ['a rollback of zero steps', ['db:rollback', '--step', '0'], '--step must be a whole number from 1 on'],
    ['a project name that leaves the folder', ['new', '../x'], 'is not a name for a project'],
    ['a project named as its own dependency', ['new', 'kysely'], 'it is the name of a package that a project needs'],
    ['a project named as a device', ['new', 'con'], 'cannot be the name of a project'],
    ['an unknown template', ['new', 'blog', '--template', 'mininal'], 'Did you mean "minimal"?'],
    ['an unknown database', ['new', 'blog', '--db', 'oracle'], '--db must be one of sqlite, postgres, mysql, none'],
    ['a request without a slash', ['request', 'GET', 'users'], 'Did you mean "sluice request GET /users"?'],
    ['a request without a method', ['request', '/health'], '<path> is missing: sluice request <METHOD> <path>'],
    [
      'a request with an address',
      ['request', 'GET', 'http://localhost:3000/users?page=2'],
      'Did you mean "sluice request GET /users?page=2"?',
    ],
    ['a request with a host', ['request', 'GET', 'https://a.example'], 'Did you mean "sluice request GET /"?'],
    [
      'a path that Git Bash has changed',
      ['request', 'GET', 'C:/Program Files/Git/users'],
      'Git Bash changes a path that begins with "/": write //users',
    ],
    [
      'a request with a body that its method has none of',
      ['request', 'GET', '/', '-d', 'x'],
      'The request is not valid',
    ],
    [
      'a budget that is not a number',
      ['size', 'package.json', '--budget', '12kB'],
      '--budget must be a number of bytes',
    ],
  ])('%s', async (_, line, message) => {
    const folder = temporaryFolder()
    const cwd = line.includes('package.json') ? process.cwd() : folder
    const { code, out, err } = await runCommand(cwd, line)
    expect(err).toContain(message)
    expect({ code, out }).toEqual({ code: 2, out: '' })
  })

  test('under --json the failure is the answer, and standard error says it too', async () => {
    const { code, out, err } = await runCommand('/', ['g', 'model', '../x', '--json'])
    expect(code).toBe(2)
    expect(JSON.parse(out)).toMatchObject({ ok: false, error: { exitCode: 2 } })
    expect(err).toContain('"../x" is not a name')
  })

  test('DEBUG shows the stack', async () => {
    expect((await runCommand('/', ['g', 'model', '../x'], { DEBUG: '1' })).err).toContain('names.ts')
    expect((await runCommand('/', ['g', 'model', '../x'])).err).not.toContain('names.ts')
  })
})

describe('G18: what is misconfigured leaves with 3', () => {
  test.each([
    ['no application', ['routes'], 'There is no src/app.ts'],
    [
      'no project',
      ['dev'],
      'no package.json here depends on sluice: go to the folder of a project, or "sluice new <name>"',
    ],
    ['no application where it was said to be', ['routes', '--app', 'src/other.ts'], 'There is no src/other.ts'],
    ['no database', ['db:migrate'], 'There is no database URL'],
    ['no tests', ['test'], 'There is no *.test.ts'],
    ['no project to weigh', ['size'], 'no package.json here depends on sluice'],
  ])('%s', async (_, line, message) => {
    const { code, err } = await runCommand(temporaryFolder(), line)
    expect(err).toContain(message)
    expect(code).toBe(3)
  })
})

test('size bundles the module that package.json names', async () => {
  const folder = temporaryFolder()
  linkPackages(folder)
  writeFileSync(join(folder, 'package.json'), '{ "sluice": { "app": "./app.js" } }')
  writeFileSync(join(folder, 'app.js'), 'export default 1')
  writeFileSync(join(folder, 'sluice-size.json'), '{ "app.js": 1 }')
  const { code, out } = await runCommand(folder, ['size', '--json'])
  expect(JSON.parse(out)).toMatchObject({ ok: false, entry: 'app.js', budget: 1 })
  expect(code).toBe(1)
})

describe('options in any order and form', () => {
  test.each([
    [['g', 'model', 'User', '--table=people', '--dry-run']],
    [['g', '--dry-run', 'model', '--table', 'people', 'User']],
    [['--dry-run', 'g', 'model', 'User', '--table', 'people']],
    [['generate', 'model', '--table', 'people', '--dry-run', '--', 'User']],
    [['g', 'model', 'User', '--table', 'people', '-f', '--dry-run', '--dry-run']],
  ])('%j', async (line) => {
    const { code, out } = await runCommand(temporaryFolder(), line)
    expect(out).toContain("tableName = 'people'")
    expect(code).toBe(0)
  })
})

describe('colours', () => {
  const terminal = { isTTY: true }
  test.each([
    ['a terminal gets them', {}, terminal, true],
    ['a pipe does not', {}, {}, false],
    ['NO_COLOR takes them from a terminal', { NO_COLOR: '1' }, terminal, false],
    ['an empty NO_COLOR does not', { NO_COLOR: '' }, terminal, true],
    ['FORCE_COLOR gives them to a pipe', { FORCE_COLOR: '1' }, {}, true],
    ['NO_COLOR is the stronger', { NO_COLOR: '1', FORCE_COLOR: '1' }, terminal, false],
    ['FORCE_COLOR=0 takes them', { FORCE_COLOR: '0' }, terminal, false],
    ['a dumb terminal gets none', { TERM: 'dumb' }, terminal, false],
  ])('%s', (_, env, stream, expected) => expect(wantsColor(env, stream)).toBe(expected))

  test('without them a text is itself', () => {
    expect(paintFor(false).red('x')).toBe('x')
    expect(paintFor(true).red('x')).toBe('\u001b[31mx\u001b[39m')
  })
})

describe('suggestions', () => {
  test.each([
    ['modle', 'model'],
    ['Model', 'model'],
    ['odel', 'model'],
    ['servce', 'service'],
    ['mig', 'migration'],
    ['mi', undefined],
    ['xyz', undefined],
    ['', undefined],
    ['--', undefined],
    ['m'.repeat(100_000), undefined],
  ])('%.20s', (word, expected) => expect(suggest(word, ['model', 'service', 'migration'])).toBe(expected))
})

test('a table is as wide as its widest cells', () => {
  expect(table([['a', 'bbb', 'c'], ['aaaa', 'b', ''], []])).toEqual(['a     bbb  c', 'aaaa  b', ''])
})
