import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { App } from '../../src/index.ts'
import { filesIn, runCommand } from './run-command.ts'
import { importApp, linkPackages, temporaryFolder } from './sandbox.ts'

/** A new project, without packages. */
const scaffold = async (...options: string[]) => {
  const parent = temporaryFolder()
  const made = await runCommand(parent, ['new', 'blog', '--no-install', '--no-git', ...options])
  expect(made).toMatchObject({ code: 0, err: '' })
  const root = join(parent, 'blog')
  return { root, files: filesIn(root) }
}

/** The application of a project, imported. */
const appOf = async (root: string): Promise<App> => {
  linkPackages(root)
  return importApp(root)
}

test('NE9: a new project listens on 3000 where PORT is empty, and on localhost where HOST is', async () => {
  const { files } = await scaffold('--db', 'none')
  expect(files['src/server.ts']).toContain("envInt('PORT', 3000)")
  expect(files['src/server.ts']).toContain("env('HOST') || 'localhost'")
})

describe('P22, P26: the application of a new project', () => {
  test.each([
    ['default', ['logger', 'helmet', 'describe']],
    ['api', ['logger', 'helmet', 'cors', 'bodyParser', 'rateLimiter', 'describe']],
  ])('%s: middleware stands in the documented order, the logger first', async (template, order) => {
    const { root } = await scaffold('--template', template, '--db', 'none')
    const app = await appOf(root)
    expect(app.routes()[0]?.middleware).toEqual(order)
  })

  test('item 6: the start page shows the routes and the next commands, in light and in dark', async () => {
    const { root } = await scaffold('--db', 'postgres')
    const app = await appOf(root)
    app.get('/posts', () => new Response()).post('/posts', () => new Response())
    const response = await app.fetch(new Request('http://localhost/'))
    const page = await response.text()
    expect(response.headers.get('content-type')).toContain('text/html')
    expect(page).toContain('<h1>blog</h1>')
    expect(page).toContain('<a href="/health">/health</a>')
    // One line per path, with its methods
    expect(page).toContain('<tr><td><code><a href="/posts">/posts</a></code><td>GET, POST')
    expect(page).toContain('color-scheme: light dark')
    expect(page).toContain('npx sluice db:create')
    expect(page).not.toMatch(/<script|https?:/)
  })

  test.each(['sqlite', 'none'])('no file of a project with --db %s begins or ends with an empty line', async (db) => {
    const { files } = await scaffold('--db', db)
    const untidy = Object.entries(files).filter(([, text]) => /^\n|\n\n$/.test(text))
    expect(untidy.map(([path]) => path)).toEqual([])
  })

  test.each([
    [
      ['--db', 'sqlite'],
      ["npx sluice g resource Post title:string 'body:text?'", 'npx sluice db:migrate'],
    ],
    [
      ['--db', 'postgres'],
      ["npx sluice g resource Post title:string 'body:text?'", 'npx sluice db:create', 'npx sluice db:migrate'],
    ],
    [
      ['--db', 'mysql'],
      ["npx sluice g resource Post title:string 'body:text?'", 'npx sluice db:create', 'npx sluice db:migrate'],
    ],
    [
      ['--template', 'minimal', '--db', 'sqlite'],
      [
        "npx sluice g resource Post title:string 'body:text?'",
        '# Write the two lines that it prints into src/app.ts: they mount the routes',
        'npx sluice db:migrate',
      ],
    ],
  ])('P25: README of a project with %j has each step, and no URL that we made up', async (words, steps) => {
    const { files } = await scaffold(...words)
    expect(files['README.md']).toContain(`${steps.join('\n')}\n`)
    expect(files['README.md']).not.toMatch(/https?:\/\/(?!localhost)/)
  })

  test.each([
    ['--template', 'minimal'],
    ['--db', 'sqlite'],
    ['--template', 'api', '--db', 'postgres', '--deploy', 'docker'],
    ['--deploy', 'workers', '--package-manager', 'pnpm'],
  ])('issue 34: AGENTS.md of new %s %s is short, and every path and script in it exists', async (...words) => {
    const { files } = await scaffold(...words)
    const page = files['AGENTS.md'] ?? ''
    expect(page.split('\n').length).toBeLessThan(40)
    // The formatter pads the cells of a table, whose width depends on the rows that a project has
    expect(page).not.toMatch(/undefined|<%|\n\n\n|^\|/m)
    const paths = [...page.matchAll(/`((?:src|test)\/[\w./-]+)`/g)].map(([, path = '']) => path)
    expect(paths.length).toBeGreaterThan(1)
    // These come with the first resource
    const later = ['src/app/routes', 'src/app/models']
    const known = Object.keys(files)
    expect(paths.filter((path) => !later.includes(path) && !known.some((file) => file.startsWith(path)))).toEqual([])
    const { scripts } = JSON.parse(files['package.json'] ?? '')
    const named = [...page.matchAll(/(?:npm run|pnpm run) (\w+)/g)].map(([, script = '']) => script)
    expect(named).toEqual(['dev', 'check', 'lint', 'test', 'format'])
    expect(named.filter((script) => !(script in scripts))).toEqual([])
  })

  test('P26: it switches the filter of old browsers off', async () => {
    const { root } = await scaffold('--db', 'none')
    const response = await (await appOf(root)).fetch(new Request('http://localhost/health'))
    expect(response.headers.get('x-xss-protection')).toBe('0')
  })

  test.each([
    ['postgres', 'pg'],
    ['mysql', 'mysql2'],
  ])('P22: a project on %s tests on it, and has no SQLite', async (db, driver) => {
    const { files } = await scaffold('--db', db)
    const { dependencies, devDependencies } = JSON.parse(files['package.json'] ?? '')
    expect(Object.keys(dependencies)).toContain(driver)
    // As npm writes them, so that an installation changes nothing
    for (const each of [dependencies, devDependencies]) expect(Object.keys(each)).toEqual(Object.keys(each).sort())
    expect(JSON.stringify({ dependencies, devDependencies })).not.toContain('sqlite')
  })

  test('new . accepts a folder that contains nothing but a repository', async () => {
    const root = temporaryFolder()
    mkdirSync(join(root, '.git'))
    const words = ['new', '.', '--no-install', '--no-git']
    writeFileSync(join(root, '.npmrc'), '')
    expect(await runCommand(root, words)).toMatchObject({ code: 1 })
    rmSync(join(root, '.npmrc'))
    expect(await runCommand(root, words)).toMatchObject({ code: 0, err: '' })
    expect(await runCommand(root, words)).toMatchObject({ code: 1, err: expect.stringContaining('is not empty') })
  })

  test('P8: a new project has a folder for migrations, so db:migrate has nothing to do rather than to find', async () => {
    expect(Object.keys((await scaffold()).files)).toContain('src/database/migrations/.gitkeep')
  })
})
