import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ejsToEta } from '../../generators/ejs.ts'
import { KINDS } from '../../generators/kinds.ts'
import { bundledTemplates, renderFile } from '../../generators/render.ts'
import { filesIn, runCommand } from './run-command.ts'
import { CHECKOUT, temporaryFolder } from './sandbox.ts'

/** Fill a template file of that name. */
const fill = (file: string, template: string, variables: object, others: Record<string, string> = {}): string => {
  const folder = temporaryFolder()
  for (const [name, text] of Object.entries({ [file]: template, ...others })) writeFileSync(join(folder, name), text)
  return renderFile(join(folder, file), variables)
}

/** A project with templates of its own. */
const project = (files: Record<string, string>) => {
  const root = temporaryFolder()
  mkdirSync(join(root, 'templates'))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(root, 'templates', name), text)
  return root
}

describe('G12: EJS keeps its meaning', () => {
  const variables = { name: 'User', list: ['a', 'b'], markup: '<b>' }
  test.each([
    ['a value', 'class <%= name %> {}', 'class User {}'],
    ['a raw value', '<%- name %>', 'User'],
    ['code is written, not HTML', '<%= markup %><%- markup %>', '<b><b>'],
    ['an expression', '<%= name.toUpperCase() + "!" %>', 'USER!'],
    ['a condition', '<% if (name) { %>yes<% } else { %>no<% } %>', 'yes'],
    ['a loop', '<% for (const item of list) { %>[<%= item %>]<% } %>', '[a][b]'],
    ['forEach', '<% list.forEach((item) => { %><%= item %>,<% }) %>', 'a,b,'],
    ['a remark', 'a<%# nothing %>b', 'ab'],
    ['a remark whose line end is swallowed', 'a\n<%# nothing -%>\nb', 'a\nb'],
    ['a remark in the code', '<% // nothing %>x', 'x'],
    ['a swallowed line end', '<% if (true) { -%>\nx\n<% } -%>\ny', 'x\ny'],
    ['swallowed blanks', 'a\n  <%_ if (true) { _%>  \nb\n  <%_ } _%>\nc', 'a\nb\nc'],
    ['a literal tag', '<%% name %%>', '<% name %>'],
    ['several lines', '<%\n  const n = 2\n  const m = 3\n%><%= n * m %>', '6'],
    ['the variables as "it", as eta has them', '<%= it.name %>', 'User'],
    ['a backslash and backticks', '`\\n` \\', '`\\n` \\'],
    ['a minus behind a value', '<%= 3 - 1 -%>\nx', '2x'],
    ['Windows line ends', '<% if (true) { -%>\r\nx\r\n<% } -%>\r\n', 'x\n'],
  ])('%s', (_, template, expected) => expect(fill('model.ts.ejs', template, variables)).toBe(expected))

  test('a partial is included, with its own variables', () => {
    expect(
      fill(
        'model.ts.ejs',
        "<%- include('./head', { title: name }) %>",
        { name: 'User' },
        { 'head.ejs': '// <%= it.title %>' },
      ),
    ).toBe('// User')
  })

  test('a text without tags stays as it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        fc.pre(!text.includes('<%') && !text.includes('%>'))
        expect(ejsToEta(text)).toBe(text)
      }),
    )
  })

  test('every template is rendered, or refused with its file', () => {
    const piece = fc.constantFrom('<%', '%>', '<%=', '<%-', '<%_', '<%#', '-%>', '_%>', '<%%', '%%>', ' x ', '\n', '  ')
    const folder = temporaryFolder()
    const path = join(folder, 'model.ts.ejs')
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        writeFileSync(path, pieces.join(''))
        try {
          expect(typeof renderFile(path, { x: 1 })).toBe('string')
        } catch (error) {
          expect(error).toMatchObject({ exitCode: 1, message: expect.stringContaining(path) })
        }
      }),
    )
  })
})

describe('G12: the templates of a project replace ours', () => {
  test.each([
    ['model.ts.ejs', 'model User', '<%= name %> <%= table %> <%= variable %>', 'User users user'],
    ['model.eta', 'model User', '<%= it.className %>', 'User'],
    ['model.ts.eta', 'model User', '<%= it.className %>', 'User'],
    ['controller.ts.ejs', 'controller User', '<%= className %> <%= api %>', 'UserController false'],
    ['controller.ts.ejs', 'controller User --api', '<%= className %> <%= api %>', 'UserController true'],
    ['controller.api.ts.ejs', 'controller User --api', 'api <%= path %>', 'api /users'],
    ['controller.resource.ts.ejs', 'controller User --resource', 'resource <%= plural %>', 'resource users'],
    ['middleware.ts.ejs', 'middleware rate-limit', '<%= variable %>', 'rateLimit'],
    ['validator.ts.ejs', 'validator admin/User', '<%= up %> <%= inside %> <%= id %>', '../../ admin/ uuid'],
    ['service.ts.ejs', 'service Billing', '<%= title %>', 'Billing'],
    ['migration.ts.ejs', 'migration CreateUsersTable', '<%= change %> <%= table %>', 'create users'],
  ])('%s for g %s', async (file, line, template, expected) => {
    const root = project({ [file]: template })
    expect((await runCommand(root, ['g', ...line.split(' ')])).code).toBe(0)
    const made = Object.entries(filesIn(root)).filter(([path]) => path.startsWith('src/'))
    expect(made.map(([, text]) => text)).toEqual([expected])
  })

  test('the one for a style goes before the one for all', async () => {
    const root = project({ 'controller.ts.ejs': 'all', 'controller.api.ts.ejs': 'api' })
    await runCommand(root, ['g', 'controller', 'User', '--api'])
    expect(filesIn(root)['src/app/controllers/UserController.ts']).toBe('api')
  })

  test.each([
    ['an unknown variable', '<%= nmae %>', 'nmae is not defined'],
    ['an open tag', 'x\n<%= name', 'line 2'],
    ['broken code', '<% if ( { %>', 'model.ts.ejs'],
  ])('%s is reported with the file, leaves with 1 and writes nothing', async (_, template, message) => {
    const root = project({ 'model.ts.ejs': template })
    const { code, err } = await runCommand(root, ['g', 'model', 'User'])
    expect(code).toBe(1)
    expect(err).toContain(message)
    expect(err).toContain('model.ts.ejs')
    expect(Object.keys(filesIn(root))).toEqual(['templates/model.ts.ejs'])
  })
})

/** Every kind, in an order in which each finds what it needs. */
const EVERY_KIND = [
  'auth User name:string',
  'resource Post title:string',
  'resource Task title:string --owner User',
  'model Tag name:string',
  'migration CreateTagsTable name:string',
  'controller Tag',
  'controller Post --resource',
  'controller Post --api --force',
  'middleware timing',
  'middleware auth',
  'middleware require-session',
  'validator Tag',
  'service Billing',
  'factory Post',
  'seed Post',
  'provider Mail',
]

test('issue 34, G12: every kind is rendered with a template of the project, whose variables docs/cli.md lists', async () => {
  const root = project({})
  mkdirSync(join(root, 'src'))
  writeFileSync(join(root, 'src/app.ts'), '')
  mkdirSync(join(root, 'test'))
  const names = [...new Set(KINDS.flatMap(({ templates }) => templates))]
  const seen = new Map<string, readonly string[]>()
  const read = (): void => {
    for (const [path, text] of Object.entries(filesIn(root))) {
      if (path.startsWith('templates/')) continue
      const [, template = '', variables = ''] = /^\/\/ own (\S+): (.*)$/m.exec(text) ?? []
      if (template !== '') seen.set(template, variables.split(' ').filter(Boolean))
    }
  }
  for (const name of names) {
    // A model and its fields are read back by what is generated later, so its own text stays
    const bundled = readFileSync(join(bundledTemplates(), `${name}.ts.ejs`), 'utf8')
    const mark = `// own ${name}: <%= Object.keys(it).join(' ') %>\n`
    writeFileSync(join(root, 'templates', `${name}.ts.ejs`), name === 'model' ? mark + bundled : mark)
  }
  for (const line of EVERY_KIND) {
    const { code, err } = await runCommand(root, ['g', ...line.split(' '), '--cwd', root])
    expect({ line, code, err }).toEqual({ line, code: 0, err: expect.stringMatching(/^(?:sluice: No package.*\n)?$/) })
    read()
  }
  expect([...seen.keys()].sort()).toEqual([...names].sort())
  const page = readFileSync(join(CHECKOUT, 'docs/cli.md'), 'utf8')
  for (const variable of new Set([...seen.values()].flat())) expect(page).toContain(`\`${variable}\``)
})

describe('G17: eject', () => {
  test.each([
    ['model', ['model.ts.ejs']],
    ['controller', ['controller.api.ts.ejs', 'controller.resource.ts.ejs', 'controller.ts.ejs']],
    ['middleware', ['middleware.auth.ts.ejs', 'middleware.session.ts.ejs', 'middleware.ts.ejs']],
    ['migration', ['migration.ts.ejs']],
    ['validator', ['validator.ts.ejs']],
    ['service', ['service.ts.ejs']],
    ['resource', ['resource.test.ts.ejs', 'routes.ts.ejs', 'test-database.ts.ejs']],
  ])('of a %s copies its templates', async (kind, files) => {
    const root = temporaryFolder()
    expect((await runCommand(root, ['eject', kind])).code).toBe(0)
    expect(Object.keys(filesIn(join(root, 'templates')))).toEqual(files)
  })

  test('ejected templates generate the same files as the bundled ones', async () => {
    const [plain, ejected] = [temporaryFolder(), temporaryFolder()]
    for (const kind of ['model', 'controller', 'middleware', 'validator', 'service'])
      await runCommand(ejected, ['eject', kind])
    for (const root of [plain, ejected]) {
      for (const line of [
        'model User name,age:integer?',
        'controller User --api',
        'controller Post --resource',
        'controller Tag',
        'middleware auth',
        'middleware x',
        'validator User',
        'service Billing',
      ])
        await runCommand(root, ['g', ...line.split(' ')])
    }
    expect(filesIn(join(ejected, 'src'))).toEqual(filesIn(join(plain, 'src')))
  })

  test('of an unknown kind exits with 2', async () => {
    expect(await runCommand(temporaryFolder(), ['eject', 'modle'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('Did you mean "model"?'),
    })
  })
})
