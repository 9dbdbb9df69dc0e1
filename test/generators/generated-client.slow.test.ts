import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { runCommand } from './run-command.ts'
import { linkPackages, temporaryFolder } from './sandbox.ts'

const CLIENT = `import { createClient, unwrap } from 'sluice/client'
import { app } from './app.ts'
import { postRoutes } from './app/routes/post.ts'

const api = createClient<typeof app>({ fetch: app.fetch })
const { data, meta } = await unwrap(api.get('/posts', { query: { limit: 2, sort: '-id', title: 'x' } }))
export const title: string | undefined = data[0]?.title
export const total: number = meta.total
export const made = await api.post('/posts', { json: { title: 'x' } })
export const health: string = (await unwrap(api.get('/health'))).status
// @ts-expect-error a field is missing
await api.post('/posts', { json: {} })
// @ts-expect-error no such route
await api.get('/post')
// @ts-expect-error no such field
export const wrong = data[0]?.titel
app.get('/a', (ctx) => {
  // @ts-expect-error the state has no such key
  return ctx.json(ctx.state.usr)
})
postRoutes.get('/b', (ctx) => {
  // @ts-expect-error the state has no such key
  return ctx.json(ctx.state.usr)
})
`

test('NF3: the type of a new application has the routes of its resources, and a strict state', {
  timeout: 180_000,
}, async () => {
  const parent = temporaryFolder()
  const root = join(parent, 'blog')
  expect((await runCommand(parent, ['new', 'blog', '--template', 'api', '--no-install', '--no-git'])).code).toBe(0)
  linkPackages(root)
  const { code, out } = await runCommand(root, ['g', 'resource', 'Post', 'title:string', '--cwd', root])
  expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining('update    src/routes.ts') })
  writeFileSync(join(root, 'src/client.ts'), CLIENT)
  const settings = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8'))
  settings.compilerOptions.customConditions = ['sluice-source']
  const { fileNames, options } = ts.parseJsonConfigFileContent(settings, ts.sys, root)
  const diagnostics = ts
    .getPreEmitDiagnostics(ts.createProgram(fileNames, options))
    .filter(({ file }) => file?.fileName.startsWith(root) && !file.fileName.includes('node_modules'))
    .map(
      ({ file, messageText }) =>
        `${file?.fileName.slice(root.length)}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`,
    )
  expect(diagnostics).toEqual([])
})
