import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { subpathsOf } from '../runtime/workerd.mjs'
import { TYPESCRIPTS, tsc } from './workspace.mjs'

/** What a user writes, in both doors; each line with an expected error proves that types are not `any`. */
const PROGRAM = `import { createApp, json, pipe, blank, route, text, toFetch, use, z, type Middleware as AppMiddleware } from 'sluice'
import type { Middleware } from 'sluice/context'
import { cors } from 'sluice/middleware/cors'
import { helmet } from 'sluice/middleware/helmet'
import { validator } from 'sluice/middleware/validator'
import { object } from 'sluice/z/object'
import { string } from 'sluice/z/string'

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
  .post('/users', validator({ schema: object({ name: string() }) }), (ctx) => json({ name: ctx.state.validated.name.trim() }))

// @ts-expect-error a status is a number
json(ada, 'created')

export const fetch = pipe(blank, use(withUser), route('GET', '/:a', (ctx) => text(ctx.params.a)), toFetch)
export default { fetch: app.fetch }
`

const options = (module) => ({
  compilerOptions: {
    target: 'es2022',
    lib: ['es2023', 'dom', 'dom.iterable', 'dom.asynciterable'],
    types: ['node'],
    ...module,
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
    noEmit: true,
  },
  include: ['src'],
})

const MODULES = {
  nodenext: { module: 'nodenext' },
  bundler: { module: 'esnext', moduleResolution: 'bundler' },
}

/** Type-check a program, and every subpath at once, with the declarations checked too. @returns what compilers said */
export const typeErrors = ({ folder, installed }) => {
  const imports = subpathsOf(installed).map((subpath, index) => `export * as m${index} from '${subpath}'`)
  return Object.entries(MODULES).flatMap(([name, module]) => {
    const project = join(folder, `types-${name}`)
    mkdirSync(join(project, 'src'), { recursive: true })
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify(options(module)))
    writeFileSync(join(project, 'src/program.ts'), PROGRAM)
    writeFileSync(join(project, 'src/every-subpath.ts'), `${imports.join('\n')}\n`)
    return TYPESCRIPTS.flatMap((version) => {
      const { ok, output } = tsc(version, ['-p', project], folder)
      return ok ? [] : [`TypeScript ${version}, ${name}:\n${output.slice(0, 3000)}`]
    })
  })
}
