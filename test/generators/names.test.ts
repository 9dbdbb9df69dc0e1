import fc from 'fast-check'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'
import { CliError } from '../../generators/errors.ts'
import { MAX_NAME_LENGTH, parseName } from '../../generators/names/names.ts'
import { pluralize } from '../../generators/names/plural.ts'
import { anyText } from '../any-text.ts'
import { runs } from '../fuzz.ts'

describe('G11: a name is read in any style', () => {
  test.each([
    ['user', 'User', 'user', 'users', 'users', '/users'],
    ['User', 'User', 'user', 'users', 'users', '/users'],
    ['UserProfile', 'UserProfile', 'userProfile', 'userProfiles', 'user_profiles', '/user-profiles'],
    ['userProfile', 'UserProfile', 'userProfile', 'userProfiles', 'user_profiles', '/user-profiles'],
    ['user_profile', 'UserProfile', 'userProfile', 'userProfiles', 'user_profiles', '/user-profiles'],
    ['blog-post', 'BlogPost', 'blogPost', 'blogPosts', 'blog_posts', '/blog-posts'],
    ['HTMLParser', 'HTMLParser', 'htmlParser', 'htmlParsers', 'html_parsers', '/html-parsers'],
    ['APIKey', 'APIKey', 'apiKey', 'apiKeys', 'api_keys', '/api-keys'],
    ['oauth2Token', 'Oauth2Token', 'oauth2Token', 'oauth2Tokens', 'oauth2_tokens', '/oauth2-tokens'],
    ['Category', 'Category', 'category', 'categories', 'categories', '/categories'],
    ['Person', 'Person', 'person', 'people', 'people', '/people'],
    ['admin/User', 'User', 'user', 'users', 'users', '/admin/users'],
    ['backOffice/v2/OrderLine', 'OrderLine', 'orderLine', 'orderLines', 'order_lines', '/back-office/v2/order-lines'],
    ['SKUs', 'SKUs', 'skus', 'skus', 'skus', '/skus'],
    ['productAPIs', 'ProductAPIs', 'productAPIs', 'productApis', 'product_apis', '/product-apis'],
  ])('%s', (typed, pascal, camel, plural, table, path) => {
    expect(parseName(typed)).toMatchObject({ pascal, camel, plural, table, path })
  })

  test.each([
    ['UserController', 'User'],
    ['user-controller', 'User'],
    ['ControllerUser', 'ControllerUser'],
    ['admin/UserController', 'User'],
  ])('the suffix of the kind is not doubled: %s is %s', (typed, pascal) => {
    expect(parseName(typed, 'Controller').pascal).toBe(pascal)
  })
})

describe('G2: plurals are English', () => {
  test.each([
    ['user', 'users'],
    ['category', 'categories'],
    ['day', 'days'],
    ['soliloquy', 'soliloquies'],
    ['box', 'boxes'],
    ['bus', 'buses'],
    ['status', 'statuses'],
    ['address', 'addresses'],
    ['dish', 'dishes'],
    ['match', 'matches'],
    ['quiz', 'quizzes'],
    ['analysis', 'analyses'],
    ['person', 'people'],
    ['child', 'children'],
    ['leaf', 'leaves'],
    ['wife', 'wives'],
    ['shelf', 'shelves'],
    ['roof', 'roofs'],
    ['cliff', 'cliffs'],
    ['photo', 'photos'],
    ['hero', 'heroes'],
    ['news', 'news'],
    ['sheep', 'sheep'],
    ['lens', 'lenses'],
    ['users', 'users'],
    ['people', 'people'],
    ['categories', 'categories'],
    ['x', 'xes'],
    ...[
      ['brief', 'briefs'],
      ['relief', 'reliefs'],
      ['belief', 'beliefs'],
      ['cafe', 'cafes'],
      ['safe', 'safes'],
    ],
    ...[
      ['giraffe', 'giraffes'],
      ['golf', 'golfs'],
      ['gulf', 'gulfs'],
      ['roof', 'roofs'],
      ['proof', 'proofs'],
    ],
    ...[
      ['thief', 'thieves'],
      ['knife', 'knives'],
      ['bookshelf', 'bookshelves'],
      ['wolf', 'wolves'],
      ['half', 'halves'],
    ],
    ...[
      ['epoch', 'epochs'],
      ['tech', 'techs'],
      ['monarch', 'monarchs'],
      ['branch', 'branches'],
      ['axis', 'axes'],
    ],
  ])('%s, %s', (word, plural) => expect(pluralize(word)).toBe(plural))

  test('the plural of a plural is itself', () => {
    for (const word of ['users', 'boxes', 'categories', 'people', 'buses', 'leaves', 'analyses'])
      expect(pluralize(word)).toBe(word)
  })
})

describe('G11, adonis CVE-2026-21440 (a file name as a path): what could leave the project or is no identifier is refused with exit 2', () => {
  test.each([
    ['a parent folder', '../../etc/x'],
    ['a parent folder inside', 'admin/../../x'],
    ['an absolute path', '/etc/x'],
    ['a folder without a name behind it', 'admin/'],
    ['an empty folder', 'admin//x'],
    ['a dot', '.'],
    ['a hidden file', '.bashrc'],
    ['an extension', 'user.ts'],
    ['a backslash', '..\\..\\x'],
    ['a drive', 'C:x'],
    ['an encoded slash', '%2e%2e%2fx'],
    ['a NUL', 'user\0.ts'],
    ['a line end', 'user\nx'],
    ['a blank', 'user profile'],
    ['nothing', ''],
    ['a letter that is no ASCII', 'Übung'],
    ['a full-width letter', 'Ｕser'],
    ['a right-to-left mark', 'user\u202e'],
    ['a leading digit', '1abc'],
    ['a leading digit in a folder', '1a/User'],
    ['a leading hyphen', '-user'],
    ['a leading underscore', '__proto__'],
    ['a quote', "user'"],
    ['a template', '$x'],
    ['300 characters', 'a'.repeat(300)],
    ['one character too many', 'a'.repeat(MAX_NAME_LENGTH + 1)],
    ['a Windows device', 'con'],
    ['a Windows device in capitals', 'NUL'],
    ['a Windows device with a number', 'com1'],
    ['a Windows device as a folder', 'aux/User'],
    ['a reserved word', 'class'],
    ['a reserved word in capitals', 'Class'],
    ['a reserved word in strict mode', 'package'],
    ['a word of modules', 'await'],
    ['a literal', 'null'],
    ['a prototype key', 'constructor'],
    ['a global that generated code uses', 'Promise'],
    ['a name that generated code imports', 'Model'],
    ['a variable of generated code', 'ctx'],
  ])('%s', (_, typed) => {
    const attempt = () => parseName(typed)
    expect(attempt).toThrow(CliError)
    expect(attempt).toThrow(expect.objectContaining({ exitCode: 2 }))
  })

  test('a name of the greatest length is taken', () => {
    expect(parseName('a'.repeat(MAX_NAME_LENGTH)).pascal).toHaveLength(MAX_NAME_LENGTH)
  })

  test('a suffix alone is not a name', () => {
    expect(() => parseName('Controller', 'Controller')).toThrow(expect.objectContaining({ exitCode: 2 }))
  })
})

describe('whatever is typed', () => {
  /** The forms, or undefined where the name was refused as it should be. */
  const attempt = (typed: string) => {
    try {
      return parseName(typed)
    } catch (error) {
      expect(error).toMatchObject({ name: 'CliError', exitCode: 2 })
      return undefined
    }
  }
  const styled = fc.stringMatching(/^[A-Za-z][A-Za-z0-9_-]{0,20}(?:\/[A-Za-z][A-Za-z0-9_-]{0,20}){0,2}$/)

  test('is refused with exit 2, or all its forms are ASCII and stay in the project', () => {
    fc.assert(
      fc.property(fc.oneof(anyText(), styled), (typed) => {
        const name = attempt(typed)
        if (name === undefined) return
        expect(name.pascal).toMatch(/^[A-Z][A-Za-z0-9]*$/)
        expect(name.camel).toMatch(/^[a-z][A-Za-z0-9]*$/)
        expect(name.plural).toMatch(/^[a-z][A-Za-z0-9]*$/)
        expect(name.table).toMatch(/^[a-z][a-z0-9_]*$/)
        for (const folder of name.folders) expect(folder).toMatch(/^[a-z][a-z0-9-]*$/)
      }),
      { numRuns: runs(3000) },
    )
  })

  test('an accepted name can be a class and a variable of TypeScript', () => {
    fc.assert(
      fc.property(styled, (typed) => {
        const name = attempt(typed)
        if (name === undefined) return
        const source = `export class ${name.pascal} {}\nexport const ${name.camel} = 1\nexport const all = { ${name.plural}: [] }\n`
        const { diagnostics = [] } = ts.transpileModule(source, { reportDiagnostics: true })
        expect(diagnostics.map(({ messageText }) => messageText)).toEqual([])
      }),
      { numRuns: runs(300) },
    )
  })

  test('reading a form again changes nothing', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Z][a-z]{2,8}(?:[A-Z][a-z]{2,8}){0,2}$/), (typed) => {
        const name = attempt(typed)
        if (name === undefined) return
        for (const form of [name.pascal, name.camel, name.snake, name.kebab])
          expect(parseName(form).pascal).toBe(name.pascal)
      }),
    )
  })
})
