import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { TYPESCRIPTS, tsc } from './workspace.mjs'

/** Applications of every door, in a project of their own. */
const APPLICATION = `import { blank, createApp, group, json, mount, pipe, route, toFetch, use, validateBody, validateQuery, z } from 'sluice'
import { bearerAuth } from 'sluice/middleware/bearer-auth'
import { describe } from 'sluice/openapi'
import { createApp as createTiny } from 'sluice/tiny'
import { webSocket } from 'sluice/websocket'

const User = z.object({ id: z.number(), name: z.string() })
const auth = bearerAuth({ verify: (token) => ({ id: 1, token }) })

export const tiny = createTiny().get('/:id', (ctx) => json({ tiny: ctx.params.id }))
export const app = createApp()
  .use(auth)
  .get('/users/:id', describe({ responses: { 200: User, 404: z.object({ error: z.string() }) } }), () => json({}))
  .post('/users', validateQuery(z.object({ page: z.string() })), validateBody(User.omit({ id: true })), (ctx) =>
    ctx.json({ made: ctx.state.valid.body.name, by: ctx.state.user.id }, 201))
  .get('/events', (ctx) => ctx.sse<{ event: 'price'; data: { cents: number } }>(() => {}))
  .get('/rooms/:room', webSocket(() => ({}), { messages: User, sends: User }))
  .group('/admin', (routes) => routes.delete('/:id', (ctx) => ctx.json({ gone: ctx.params.id })))
  .mount('/tiny', tiny)
export const plan = pipe(
  blank,
  use(auth),
  route('POST', '/users', validateBody(User), (ctx) => json({ made: ctx.state.validated.name }, 201)),
  group('/deep', (inner) => pipe(inner, route('GET', '/:id', (ctx) => json(ctx.params.id)))),
  mount('/m', pipe(blank, route('DELETE', '/', () => json(null)))),
)
export const handler = toFetch(plan)
`

/** Schemas, in the same project. */
const SCHEMAS = `import { z } from 'sluice'
import * as all from 'sluice/z'

export const A = z.object({
  id: z.number(), name: z.string().min(1).optional(), tags: z.array(z.enum(['a', 'b'])), u: z.union([z.string(), z.date()]),
  length: z.string().transform((text) => text.length), n: z.boolean().nullable().default(true), r: z.record(z.string(), z.number()),
})
export const B = all.object({
  id: all.coerce.number(), f: all.file(), l: all.lazy(() => all.string()), t: all.tuple([all.string()]), e: all.email(),
  m: all.map(all.string(), all.bigint()), d: all.discriminatedUnion('k', [all.object({ k: all.literal('x') })]),
})
export const C = A.partial().extend({ x: z.any() }).strict()
`

/** A client that sees their declarations alone. Each line with an expected error proves that a type is not `any`. */
const CLIENT = `import { createClient, unwrap } from 'sluice/client'
import { events, socket } from 'sluice/client'
import type { app, handler, plan, tiny } from './out/app.js'
import { A, B, C } from './out/schemas.js'

type Is<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
const is = <_T extends true>(): void => {}

const api = createClient<typeof app>()
const found = await unwrap(api.get('/users/:id', { params: { id: 1 } }))
is<Is<typeof found, { id: number; name: string }>>()
const made = await unwrap(api.post('/users', { query: { page: '1' }, json: { name: 'Ada' } }))
is<Is<typeof made, { made: string; by: number }>>()
const gone = await unwrap(api.delete('/admin/:id', { params: { id: 1 } }))
is<Is<typeof gone, { gone: string }>>()
const small = await unwrap(api.get('/tiny/:id', { params: { id: 1 } }))
is<Is<typeof small, { tiny: string }>>()
for await (const event of events(api, '/events')) is<Is<ReturnType<typeof event.json>, { cents: number }>>()
for await (const message of socket(api, '/rooms/:room', { params: { room: 1 } }))
  is<Is<ReturnType<typeof message.json>, { id: number; name: string }>>()
const alone = await unwrap(createClient<typeof tiny>().get('/:id', { params: { id: 1 } }))
is<Is<typeof alone, { tiny: string }>>()
const piped = createClient<typeof plan>()
const pipedMade = await unwrap(piped.post('/users', { json: { id: 1, name: 'Ada' } }))
is<Is<typeof pipedMade, { made: string }>>()
const deep = await unwrap(createClient<typeof handler>().get('/deep/:id', { params: { id: 1 } }))
is<Is<typeof deep, string>>()
const none = await unwrap(piped.delete('/m'))
is<Is<typeof none, null>>()
// @ts-expect-error no such path
api.get('/usrs')
// @ts-expect-error a wrong body
api.post('/users', { query: { page: '1' }, json: { name: 1 } })
// @ts-expect-error the query is missing
api.post('/users', { json: { name: 'Ada' } })
// @ts-expect-error no such path
piped.get('/users')
is<Is<ReturnType<typeof A.parse>['tags'], ('a' | 'b')[]>>()
is<Is<ReturnType<typeof A.parse>['name'], string | undefined>>()
is<Is<ReturnType<typeof B.parse>['d'], { k: 'x' }>>()
is<Is<ReturnType<typeof C.parse>['length'], number | undefined>>()
// @ts-expect-error no such key
found.absent
// @ts-expect-error no such key
A.parse({}).absent
// @ts-expect-error no such key
B.parse({}).absent
// @ts-expect-error no such key
C.parse({}).absent
`

/**
 * An application in a project of its own, of which a client sees the declarations: what they name must be public, or it
 * is `any` without a word. @returns what compilers said
 */
export const declarationErrors = ({ folder }) =>
  TYPESCRIPTS.flatMap((version) => {
    const project = join(folder, 'declarations')
    rmSync(project, { recursive: true, force: true })
    mkdirSync(project, { recursive: true })
    const compilerOptions = { target: 'es2022', lib: ['es2023'], types: ['node'], module: 'nodenext', strict: true }
    const config = (name, files, more) =>
      writeFileSync(join(project, name), JSON.stringify({ compilerOptions: { ...compilerOptions, ...more }, files }))
    writeFileSync(join(project, 'app.ts'), APPLICATION)
    writeFileSync(join(project, 'schemas.ts'), SCHEMAS)
    writeFileSync(join(project, 'client.ts'), CLIENT)
    config('app.json', ['app.ts', 'schemas.ts'], {
      declaration: true,
      emitDeclarationOnly: true,
      rootDir: '.',
      outDir: 'out',
    })
    config('client.json', ['client.ts'], { noEmit: true })
    return ['app.json', 'client.json'].flatMap((name) => {
      const { ok, output } = tsc(version, ['-p', join(project, name)], folder)
      return ok ? [] : [`TypeScript ${version}, ${name}:\n${output.slice(0, 3000)}`]
    })
  })
