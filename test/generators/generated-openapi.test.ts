import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import type { App } from '../../src/index.ts'
import type { OpenApiDocument } from '../../src/openapi.ts'
import { expectValid } from '../openapi/validity.ts'
import { filesIn, runCommand } from './run-command.ts'
import { importApp, linkPackages, temporaryFolder } from './sandbox.ts'

vi.stubEnv('DATABASE_URL', 'sqlite::memory:')

/** A new project with the lines of `g` in it, imported. */
const projectOf = async (template: string, lines: readonly string[]) => {
  const parent = temporaryFolder()
  const root = join(parent, 'shop')
  expect(await runCommand(parent, ['new', 'shop', '--no-install', '--no-git', '--template', template])).toMatchObject({
    code: 0,
    err: '',
  })
  linkPackages(root)
  for (const line of lines) {
    const { code, err } = await runCommand(root, ['g', ...line.split(' ')])
    expect({ line, code, err }).toEqual({ line, code: 0, err: '' })
  }
  return { app: await importApp(root), root }
}

describe.each([
  ['minimal', []],
  ['default', []],
  ['api', []],
])('OA8, OA10: a new project of the template %s', (template, lines) => {
  let app: App
  let root = ''
  beforeAll(async () => {
    ;({ app, root } = await projectOf(template, lines))
  })

  test('serves a valid document, which names the answers of its routes', async () => {
    const response = await app.request('/openapi.json')
    const document: OpenApiDocument = await response.json()
    await expectValid(document)
    expect(document.info).toEqual({ title: 'shop', version: '0.0.0' })
    const [path] = Object.keys(document.paths)
    expect(path).toBe(template === 'minimal' ? '/' : '/health')
    expect(Object.keys(document.paths[path!]!.get!.responses)).toContain('200')
  })

  test('serves a page that loads everything from its own origin, with the default policy of helmet', async () => {
    const response = await app.request('/reference')
    expect(response.status).toBe(200)
    const page = await response.text()
    const loaded = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, url]) => url!)
    for (const url of loaded.filter((one) => !one.startsWith('data:')))
      expect((await app.request(url)).status, url).toBe(200)
    expect(page).not.toMatch(/https?:/)
    expect(response.headers.get('content-security-policy') ?? '').not.toContain('unsafe-eval')
  })

  test('NE8: needs no package for the page', () => {
    const manifest = JSON.parse(filesIn(root)['package.json'] ?? '')
    expect(Object.keys(manifest.dependencies)).toEqual(expect.arrayContaining(['sluice']))
    expect(JSON.stringify(manifest)).not.toMatch(/swagger|scarf/)
  })
})

describe('OA9: the routes of resources come out described', () => {
  let document: OpenApiDocument
  beforeAll(async () => {
    const { app } = await projectOf('api', [
      'resource Post title:string:unique body:text? kind:enum(a,b) born:date more:json? --lock',
      'resource admin/Post name:string --soft-delete --table notes',
      'resource Draft text:text --lock',
    ])
    document = await (await app.request('/openapi.json')).json()
    await expectValid(document)
  })

  test.each([
    ['/posts', 'get', ['200', '400', '429']],
    ['/posts', 'post', ['201', '400', '409', '413', '415', '422', '429']],
    ['/posts/{id}', 'get', ['200', '404', '429']],
    ['/posts/{id}', 'put', ['200', '400', '404', '409', '413', '415', '422', '429']],
    ['/posts/{id}', 'patch', ['200', '400', '404', '409', '413', '415', '422', '429']],
    ['/posts/{id}', 'delete', ['204', '400', '404', '413', '415', '422', '429']],
    ['/admin/posts', 'post', ['201', '400', '413', '415', '422', '429']],
    ['/drafts', 'post', ['201', '400', '413', '415', '422', '429']],
    ['/drafts/{id}', 'patch', ['200', '400', '404', '409', '413', '415', '422', '429']],
  ])('%s %s has the answers %j', (path, method, statuses) => {
    const operation = document.paths[path]![method]!
    expect(Object.keys(operation.responses)).toEqual(statuses)
    expect(operation.summary).toMatch(/^[A-Z]/)
  })

  test('issue 34: the parameters of a list have their types', () => {
    const parameters = document.paths['/posts']!.get!.parameters as { name: string; schema: { type?: string } }[]
    expect(parameters.map(({ name, schema }) => `${name}: ${schema.type}`)).toEqual([
      'title: string',
      'kind: string',
      'page: integer',
      'limit: integer',
      'sort: string',
    ])
  })

  test('two records of one name are two schemas', () => {
    const { Post, AdminPost } = document.components!.schemas as Record<
      string,
      { properties: object; required: string[] }
    >
    expect(Object.keys(Post!.properties)).toEqual([
      ...['id', 'title', 'body', 'kind', 'born', 'more', 'version', 'createdAt', 'updatedAt'],
    ])
    expect(Object.keys(AdminPost!.properties)).toEqual(['id', 'name', 'deletedAt', 'createdAt', 'updatedAt'])
  })
})

test('OA9: routes that need a user say so in the document', async () => {
  const { app } = await projectOf('default', ['auth User', 'resource Note body:text --owner User'])
  const { paths }: OpenApiDocument = await (await app.request('/openapi.json')).json()
  for (const path of ['/notes', '/notes/{id}'])
    for (const { responses } of Object.values(paths[path]!)) expect(Object.keys(responses)).toContain('401')
})

describe('OA9: the routes of a sign-in come out described', () => {
  let document: OpenApiDocument
  beforeAll(async () => {
    const { app } = await projectOf('default', ['auth User name:string(80) born:date?'])
    document = await (await app.request('/openapi.json')).json()
    await expectValid(document)
  })

  test.each([
    ['/users/csrf', 'get', ['200']],
    ['/users/me', 'get', ['200', '401']],
    ['/users/register', 'post', ['202', '400', '403', '413', '415', '422', '429']],
    ['/users/forgot', 'post', ['202', '400', '403', '413', '415', '422', '429']],
    ['/users/reset', 'post', ['204', '400', '403', '413', '415', '422', '429']],
    ['/users/login', 'post', ['200', '400', '401', '403', '413', '415', '422', '429']],
    ['/users/logout', 'post', ['204', '403', '429']],
  ])('%s %s has the answers %j', (path, method, statuses) => {
    const operation = document.paths[path]![method]!
    expect(Object.keys(operation.responses)).toEqual(statuses)
    expect(operation.summary).toMatch(/^[A-Z]/)
  })

  test('what a client gets of the account has no hash', () => {
    expect(JSON.stringify(document.paths['/users/me']!.get!.responses['200'])).toContain('schemas/User"')
    const text = JSON.stringify(document.components!.schemas!.User)
    for (const name of ['email', 'name', 'born', 'createdAt']) expect(text).toContain(`"${name}"`)
    expect(text).not.toMatch(/hash|token|password/i)
  })
})

describe('OA9: the routes of controllers that stand alone come out described, once they are registered as printed', () => {
  let document: OpenApiDocument
  beforeAll(async () => {
    const parent = temporaryFolder()
    const root = join(parent, 'shop')
    await runCommand(parent, ['new', 'shop', '--no-install', '--no-git', '--template', 'api'])
    linkPackages(root)
    for (const line of [
      'model Post title:string(40) done:boolean?',
      'model admin/Tag name:string:unique',
      'model Note body:text --lock',
    ])
      await runCommand(root, ['g', ...line.split(' ')])
    const path = join(root, 'src/routes.ts')
    for (const line of [
      'controller Post --api',
      'controller admin/Tag --resource',
      'controller Note --api',
      'controller Page',
    ]) {
      const { code, out } = await runCommand(root, ['g', ...line.split(' ')])
      expect(code).toBe(0)
      const printed = out.split('\n').filter((each) => each.startsWith('  '))
      const imports = printed.filter((each) => each.startsWith('  import')).join('\n')
      const routes = printed.filter((each) => !each.startsWith('  import')).join('\n')
      const source = readFileSync(path, 'utf8')
      writeFileSync(
        path,
        source
          .replace('// sluice: imports', `${imports}\n// sluice: imports`)
          .replace('// sluice: routes', `${routes}\n  // sluice: routes`),
      )
    }
    document = await (await (await importApp(root)).request('/openapi.json')).json()
    await expectValid(document)
  })

  test.each([
    ['/posts', 'get', ['200', '400', '429'], 'A page of posts'],
    ['/posts', 'post', ['201', '400', '413', '415', '422', '429'], 'Create a post'],
    ['/posts/{id}', 'patch', ['200', '400', '404', '413', '415', '422', '429'], 'Update a post'],
    ['/posts/{id}', 'delete', ['204', '400', '404', '413', '415', '422', '429'], 'Delete a post'],
    ['/notes', 'post', ['201', '400', '413', '415', '422', '429'], 'Create a note'],
    ['/notes/{id}', 'put', ['200', '400', '404', '409', '413', '415', '422', '429'], 'Update a note'],
    ['/admin/tags', 'post', ['201', '400', '409', '413', '415', '422', '429'], 'Create a tag'],
    ['/admin/tags', 'get', ['200', '429'], 'A list of tags'],
    ['/admin/tags/{id}', 'put', ['200', '400', '404', '409', '413', '415', '422', '429'], 'Update a tag'],
    ['/pages', 'get', ['429', '501', 'default'], 'A list of pages'],
    ['/pages/{id}', 'get', ['429', '501', 'default'], 'One page'],
  ])('%s %s has the answers %j', (path, method, statuses, summary) => {
    const operation = document.paths[path]![method]!
    expect(operation.summary).toBe(summary)
    expect(Object.keys(operation.responses)).toEqual(statuses)
  })

  test('the document has the input that a handler reads itself: the body, and the query of a list', () => {
    const { post, get } = document.paths['/posts']! as Record<string, { requestBody?: object; parameters?: object[] }>
    expect(JSON.stringify(post!.requestBody)).toContain('"title"')
    expect(get!.parameters).toEqual(expect.arrayContaining([expect.objectContaining({ in: 'query', name: 'sort' })]))
  })
})
