import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { subpathsOf } from '../runtime/workerd.mjs'
import { TYPESCRIPTS, tsc } from './workspace.mjs'

/** What a user writes, in both doors; each line with an expected error proves that types are not `any`. */
const PROGRAM = `import { createApp, json, pipe, blank, route, text, toFetch, use, z, type Middleware as AppMiddleware } from 'sluice'
import type { Middleware } from 'sluice/pipe'
import { cors } from 'sluice/middleware/cors'
import { helmet } from 'sluice/middleware/helmet'
import { validator } from 'sluice/middleware/validator'

const withUser: Middleware<{ user: { id: number } }> = (ctx, next) => {
  ctx.state.user = { id: 1 }
  return next()
}

const withStart: AppMiddleware<{ start: number }> = (ctx, next) => {
  ctx.state.start = ctx.container.has('clock') ? 1 : 0
  return next()
}

const User = z.object({ name: z.string(), age: z.number().optional() })
type User = z.infer<typeof User>
const ada: User = { name: 'Ada' }

export const app = createApp()
  .use(cors({ origin: ['https://one.example'] }))
  .use(helmet())
  .use(withUser)
  .use(withStart)
  .get('/users/:id/posts/:post', (ctx) => {
    const id: string = ctx.params.id
    const user: number = ctx.state.user.id + ctx.state.start
    // @ts-expect-error there is no such parameter
    ctx.params.absent
    return ctx.json({ id, user, post: ctx.params.post })
  })
  .post('/users', validator({ schema: z.object({ name: z.string() }) }), (ctx) => json({ name: ctx.state.validated.name.trim() }))

// @ts-expect-error a status is a number
json(ada, 'created')

export const fetch = pipe(blank, use(withUser), route('GET', '/:a', (ctx) => text(ctx.params.a)), toFetch)
export default { fetch: app.fetch }
`

/** Options without `lib: dom`: what the declarations need, each runtime's own types bring (P21). */
const options = ({ module, types, lib = [] }) => ({
  compilerOptions: {
    target: 'es2022',
    lib: ['es2023', ...lib],
    types: [types],
    ...module,
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
    noEmit: true,
  },
  include: ['src'],
})

const NODENEXT = { module: 'nodenext' }

/** Every way in which a program finds its types, and the compilers that try it. */
const PROJECTS = [
  { name: 'nodenext', module: NODENEXT, types: 'node', versions: TYPESCRIPTS },
  { name: 'bundler', module: { module: 'esnext', moduleResolution: 'bundler' }, types: 'node', versions: TYPESCRIPTS },
  { name: 'bun', module: NODENEXT, types: 'bun-types', versions: ['7.0'] },
  // The package holds the namespace `Deno` alone; Deno's other globals are those of `lib: dom`
  { name: 'deno', module: NODENEXT, types: '@types/deno', lib: ['dom', 'dom.iterable'], versions: ['7.0'] },
  { name: 'workerd', module: NODENEXT, types: '@cloudflare/workers-types', versions: ['7.0'] },
]

/** A runtime's types of one release need not fit those of Node that another of its dependencies brings. */
const isOurs = (line) =>
  line.trim() !== '' && !/^ |^node_modules\/(@types|@cloudflare|bun-types|undici-types)\//.test(line)

/** Names that `lib: dom` has and that some runtime has not (P21). */
const DOM_ONLY =
  /\b(HeadersInit|BodyInit|RequestInit|ResponseInit|RequestInfo|ResponseType|BufferSource|XMLHttpRequest|FormDataEntryValue)\b/g

/** Declarations that name what only `lib: dom` has. @returns a line for each */
export const domNames = ({ installed }) =>
  readdirSync(join(installed, 'dist'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.d.ts'))
    .flatMap((name) => {
      const code = readFileSync(join(installed, 'dist', name), 'utf8').replace(/\/\*[\s\S]*?\*\//g, '')
      return Array.from(code.matchAll(DOM_ONLY), ([found]) => `${name}: ${found}`)
    })

/** Type-check a program, and every subpath at once, with the declarations checked too. @returns what compilers said */
export const typeErrors = ({ folder, installed }) => {
  const imports = subpathsOf(installed).map((subpath, index) => `export * as m${index} from '${subpath}'`)
  return PROJECTS.flatMap((project) => {
    const place = join(folder, `types-${project.name}`)
    mkdirSync(join(place, 'src'), { recursive: true })
    writeFileSync(join(place, 'tsconfig.json'), JSON.stringify(options(project)))
    writeFileSync(join(place, 'src/program.ts'), PROGRAM)
    writeFileSync(join(place, 'src/every-subpath.ts'), `${imports.join('\n')}\n`)
    return project.versions.flatMap((version) => {
      const { ok, output } = tsc(version, ['-p', place], folder)
      const ours = output.split('\n').filter(isOurs)
      return ok || !ours.length ? [] : [`TypeScript ${version}, ${project.name}:\n${ours.join('\n').slice(0, 3000)}`]
    })
  })
}
