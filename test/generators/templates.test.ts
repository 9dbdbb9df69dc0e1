import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ejsToEta } from '../../generators/ejs.ts'
import { renderFile } from '../../generators/render.ts'
import { filesIn, runCommand } from './run-command.ts'
import { temporaryFolder } from './sandbox.ts'

/** Fill a template file of that name. */
const fill = (file: string, template: string, variables: object, others: Record<string, string> = {}): string => {
  const folder = temporaryFolder()
  for (const [name, text] of Object.entries({ [file]: template, ...others })) writeFileSync(join(folder, name), text)
  return renderFile(join(folder, file), variables)
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

  test('every input gives a text or a SyntaxError, in linear time', () => {
    const piece = fc.constantFrom('<%', '%>', '<%=', '<%-', '<%_', '<%#', '-%>', '_%>', '<%%', '%%>', ' x ', '\n', '  ')
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        try {
          expect(typeof ejsToEta(pieces.join(''))).toBe('string')
        } catch (error) {
          expect(error).toBeInstanceOf(SyntaxError)
        }
      }),
    )
  })
})

describe('G12: the templates of a project replace ours', () => {
  const project = (files: Record<string, string>) => {
    const root = temporaryFolder()
    mkdirSync(join(root, 'templates'))
    for (const [name, text] of Object.entries(files)) writeFileSync(join(root, 'templates', name), text)
    return root
  }

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

describe('G17: eject', () => {
  test.each([
    ['model', ['model.eta']],
    ['controller', ['controller.api.eta', 'controller.eta', 'controller.resource.eta', 'page.eta']],
    ['middleware', ['middleware.auth.eta', 'middleware.eta', 'middleware.session.eta']],
    ['migration', ['migration.eta']],
    ['validator', ['validator.eta']],
    ['service', ['service.eta', 'service.test.eta']],
    ['resource', ['resource.test.eta', 'routes.eta', 'test-database.eta']],
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
        'model User --fields name,age:integer?',
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
