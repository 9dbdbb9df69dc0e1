/** What the mistakes are made with. */
export const HEAD = [
  `import { blank, createApp, pipe, route, text, toFetch, use, validateBody, z } from 'sluice'`,
  `import type { Middleware } from 'sluice/pipe'`,
  `import type { Middleware as AppMiddleware } from 'sluice'`,
  `import { bearerAuth } from 'sluice/middleware/bearer-auth'`,
  `import { createApp as createTiny } from 'sluice/tiny'`,
  `interface User { id: number }`,
  `interface Session { cart: string[] }`,
  `declare const verify: (token: string) => User`,
  `declare const admin: () => Middleware<{ admin: true }, { user: User }>`,
  `declare const session: () => Middleware<{ session: Session }>`,
  `declare const ofApp: AppMiddleware<{ user: User }>`,
  `const Ada = z.object({ name: z.string() })`,
  `const app = createApp<unknown, {}>()`,
  `import { createClient } from 'sluice/client'`,
  `import { validateQuery } from 'sluice'`,
  `const Page = z.object({ page: z.string() })`,
  `const served = createApp().get('/users/:id', (ctx) => ctx.json({ id: ctx.params.id })).get('/users', validateQuery(Page), (ctx) => ctx.json([1])).post('/users', validateBody(Ada), (ctx) => ctx.json({ made: true }, 201))`,
  `const api = createClient<typeof served>()`,
]

const unmet = (has, methods) => [
  `TS2345: Argument of type 'Middleware<{ admin: true; }, { user: User; }, unknown, any>' is not assignable to parameter of type 'Step<{ admin: true; }, ${has}, ${methods}, ${methods === 'MissingMethods' ? 'any' : 'unknown'}>'.`,
  `Property 'user' is missing in type '${has}' but required in type '{ user: User; }'.`,
]

/** Code, how the lines begin that explain it, and the most lines that an explanation may have. @default 2 */
export const CASES = [
  // P1
  [
    `createApp().post('/', validateBody(Ada), (ctx) => text(ctx.state.validated.nmae))`,
    [`TS2339: Property 'nmae' does not exist on type`],
  ],
  [
    `app.get('/', bearerAuth({ verify }), (ctx) => ctx.json(ctx.state.usr))`,
    [`TS2551: Property 'usr' does not exist on type '{ user: User; }'. Did you mean 'user'?`],
  ],
  [
    `pipe(blank, route('GET', '/', session(), (ctx) => text(ctx.state.session.crat[0]!)), toFetch)`,
    [`TS2339: Property 'crat' does not exist on type 'Session'.`],
  ],
  [
    `createApp().get('/:id', (ctx) => text(ctx.params.name))`,
    [`TS2339: Property 'name' does not exist on type '{ readonly id: string; }'.`],
  ],
  // P2
  [
    `createApp().use(session()).get('/', (ctx) => ctx.json(ctx.state.sesion))`,
    [`TS2551: Property 'sesion' does not exist on type '{ session: Session; }'. Did you mean 'session'?`],
  ],
  [`app.get('/', (ctx) => ctx.json(ctx.state.user))`, [`TS2339: Property 'user' does not exist on type '{}'.`]],
  [
    `pipe(blank, use(session()), use((ctx, next) => { ctx.state.sesion; return next() }), toFetch)`,
    [`TS2551: Property 'sesion' does not exist on type '{} & NoInfer<{ session: Session; }>'. Did you mean 'session'?`],
  ],
  // P3
  [`app.get('/', admin(), () => text(''))`, unmet('{}', 'Respond')],
  [`app.get('/', session(), admin(), () => text(''))`, unmet('{ session: Session; }', 'Respond')],
  [
    `createTiny<unknown, {}>().get('/', session(), admin(), () => text(''))`,
    unmet('{ session: Session; }', 'TinyMethods'),
  ],
  [`app.use(admin())`, unmet('{}', 'Respond')],
  [`pipe(blank, use(session()), use(admin()), toFetch)`, unmet('{ session: Session; }', 'MissingMethods')],
  [`pipe(blank, use(session(), admin()), toFetch)`, unmet('{ session: Session; }', 'MissingMethods')],
  [
    `pipe(blank, use(session()), route('GET', '/', admin(), () => text('')), toFetch)`,
    unmet('{ session: Session; }', 'MissingMethods'),
  ],
  [
    `pipe(blank, use(ofApp), toFetch)`,
    [
      [
        `Type 'Import<"the type Middleware or Context of sluice/pipe: those of sluice are for createApp">' is missing`,
        // TypeScript 7.0 compares the members in another order
        `Type 'Import<"readJson or json of sluice/pipe">' is not assignable to type`,
        `Type 'Import<"readText or text of sluice/pipe">' is not assignable to type`,
      ],
    ],
    7,
  ],
  // Two forms of `use` fit two arguments: TypeScript 5.9 and 6.0 explain both, 7.0 the one with a path
  [`app.use('/x', admin())`, unmet('{}', 'Respond').slice(1), 8],
  [`app.use(session(), admin())`, ['TS2769: No overload matches this call.'], 8],
  // Handlers
  [`createApp().get('/', () => 'text')`, [`TS2322: Type 'string' is not assignable to type 'Awaitable<Response>'.`]],
  [`createApp().get('/', (ctx) => { ctx.path })`, [`Type 'void' is not assignable to type 'Awaitable<Response>'.`]],
  [
    `pipe(blank, route('GET', '/', () => 'text'), toFetch)`,
    [`TS2322: Type 'string' is not assignable to type 'Awaitable<Response>'.`],
  ],
]

/** TC9: wrong calls of a client, each with the one line that explains it. */
export const WRONG_CALLS = [
  [`api.get('/usrs')`, `TS2345: Argument of type '"/usrs"' is not assignable to parameter of type '"/users`],
  [`api.delete('/users')`, `TS2345: Argument of type '"/users"' is not assignable to parameter of type 'never'.`],
  [`api.get('/users/:id')`, 'TS2554: Expected 2 arguments, but got 1.'],
  [
    `api.get('/users/:id', { params: { idd: 1 } })`,
    `TS2353: Object literal may only specify known properties, and 'idd' does not exist in type '{ readonly id: string | number; }'.`,
  ],
  [
    `api.get('/users/:id', { params: { id: true } })`,
    `TS2322: Type 'boolean' is not assignable to type 'string | number'.`,
  ],
  [`api.get('/users', { query: { page: 1 } })`, `TS2322: Type 'number' is not assignable to type 'string'.`],
  [
    `api.get('/users', { query: { pge: '1' } })`,
    `TS2561: Object literal may only specify known properties, but 'pge' does not exist in type`,
  ],
  [`api.post('/users', { json: { name: 1 } })`, `TS2322: Type 'number' is not assignable to type 'string'.`],
  [
    `api.post('/users', { json: { nme: 'a' } })`,
    `TS2561: Object literal may only specify known properties, but 'nme' does not exist in type`,
  ],
  [`api.post('/users', { json: {} })`, `TS2741: Property 'name' is missing in type '{}' but required in type`],
  [
    `api.post('/users', { body: {} })`,
    `TS2353: Object literal may only specify known properties, and 'body' does not exist in type`,
  ],
  [
    `api.get('/users/:id', { params: { id: 1 }, json: {} })`,
    `TS2353: Object literal may only specify known properties, and 'json' does not exist in type`,
  ],
  [
    `async () => { const found = await api.get('/users/:id', { params: { id: 1 } }); if (found.status === 200) (await found.json()).idd }`,
    `TS2339: Property 'idd' does not exist on type '{ id: string; }'.`,
  ],
].map(([code, message]) => [code, [message], 1])

/** Methods that the pipe door does not have, each with the function to import in its place. */
export const ABSENT = {
  json: 'readJson or json of sluice/pipe',
  text: 'readText or text of sluice/pipe',
  formData: 'readForm of sluice/pipe',
  arrayBuffer: 'readBytes of sluice/pipe',
  blob: 'readBytes of sluice/pipe',
  validate: 'validate of sluice/pipe',
  onResponse: 'onResponse of sluice/pipe',
  waitUntil: 'waitUntil of sluice/pipe',
  html: 'html of sluice/pipe',
  redirect: 'redirect of sluice/pipe',
  stream: 'stream of sluice/pipe',
  sse: 'sse of sluice/pipe',
}
