import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createApp } from '../../src/app.ts'
import { toFetch } from '../../src/kernel/fetch.ts'
import { blank, route, use } from '../../src/kernel/plan.ts'
import { at, group, mount } from '../../src/kernel/scope.ts'
import { createRouter } from '../../src/router.ts'
import { createApp as createTiny } from '../../src/tiny.ts'
import { runs } from '../fuzz.ts'

/** What an application is made of, in the order in which it is written. */
type Item =
  | { readonly kind: 'use'; readonly at: string | undefined }
  | {
      readonly kind: 'route'
      readonly method: string
      readonly path: string
      readonly own: readonly (string | undefined)[]
    }
  | { readonly kind: 'mount' | 'group'; readonly prefix: string; readonly items: readonly Item[] }

const word = fc.constantFrom('a', 'b', 'admin', 'x y', 'é', 'c.d')
const pattern = (tag: string, mayEnd = true): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc
        .nat(3)
        .chain((length) =>
          fc.tuple(
            ...Array.from({ length }, (_, index) =>
              fc.oneof(
                { weight: 4, arbitrary: word },
                { weight: 2, arbitrary: fc.constantFrom(`:p${tag}${index}`, `:q${tag}${index}`) },
              ),
            ),
          ),
        ),
      mayEnd ? fc.constantFrom('', '', '/*', '/*rest') : fc.constant(''),
    )
    .map(([segments, end]) => `/${segments.join('/')}${segments.length ? end : end.slice(1)}`)

const itemsOf = (depth: number): fc.Arbitrary<readonly Item[]> =>
  fc.array(itemOf(depth), { minLength: 1, maxLength: 5 })
const itemOf = (depth: number): fc.Arbitrary<Item> => {
  const added = fc.option(pattern('u'), { nil: undefined, freq: 3 }).map((path): Item => ({ kind: 'use', at: path }))
  const routed = fc
    .tuple(
      fc.constantFrom('GET', 'POST', '*', 'OPTIONS', 'HEAD'),
      pattern('r'),
      fc.array(fc.option(pattern('o'), { nil: undefined }), { maxLength: 2 }),
    )
    .map(([method, path, own]): Item => ({ kind: 'route', method, path, own }))
  const nested = fc
    .tuple(fc.constantFrom('mount' as const, 'group' as const), pattern(`m${depth}`, false))
    .chain(([kind, prefix]) => itemsOf(depth - 1).map((items): Item => ({ kind, prefix, items })))
  return fc.oneof(
    { weight: 2, arbitrary: added },
    { weight: 3, arbitrary: routed },
    ...(depth ? [{ weight: 2, arbitrary: nested }] : []),
  )
}

/** The naive model: flat lists, and each pattern is asked at run time, in a way of its own. */
interface Entry {
  readonly id: number
  readonly pattern: string | undefined
}
interface ModelRoute {
  readonly id: number
  readonly method: string
  readonly path: string
  readonly entries: readonly Entry[]
}

const join = (prefix: string, path: string): string => {
  const head = prefix.replace(/\/+$/, '')
  return path === '/' && head ? head : head + path
}
const isDecodable = (path: string): boolean => {
  try {
    decodeURIComponent(path)
    return path.split(/%2f/i).length <= 17
  } catch {
    return false
  }
}
/** Segment by segment: each `%2F` is a slash or a character of a segment, so all ways are tried. */
const covers = (entry: Entry, path: string): boolean => {
  if (entry.pattern === undefined || !isDecodable(path)) return true
  const parts = entry.pattern
    .replace(/(.)\/$/, '$1')
    .split('/')
    .slice(1)
  if (parts.length === 1 && !parts[0]) parts.pop()
  const text = decodeURIComponent(path.replace(/%2f/gi, '\0'))
  const walk = (part: number, from: number): boolean => {
    const rest = text.slice(from)
    const wanted = parts[part]
    if (wanted?.[0] === '*') return rest === '' || /^[/\0]/.test(rest)
    if (wanted === undefined) return rest === '' || rest === '/'
    if (!/^[/\0]/.test(rest)) return false
    if (wanted[0] !== ':') return text.startsWith(wanted, from + 1) && walk(part + 1, from + 1 + wanted.length)
    for (let end = from + 2; end <= text.length && text[end - 1] !== '/'; end++) if (walk(part + 1, end)) return true
    return false
  }
  return walk(0, 0)
}

/** Write the same tree through a door and into the model. */
const build = (tree: readonly Item[], door: 'createApp' | 'tiny' | 'pipe', log: number[]) => {
  let ids = 0
  const routes: ModelRoute[] = []
  const step = (id: number): any =>
    id % 3
      ? (_: any, next: any) => {
          log.push(id)
          return next()
        }
      : async (_: any, next: any) => {
          log.push(id)
          return await next()
        }
  const methods = { GET: 'get', POST: 'post', '*': 'all', OPTIONS: 'options', HEAD: 'head' } as const
  const create = { createApp, tiny: createTiny, pipe: () => blank }[door] as () => any
  const write = (
    start: any,
    items: readonly Item[],
    prefix: string,
    uses: Entry[],
  ): { app: any; routes: ModelRoute[] } => {
    let app = start
    const own: ModelRoute[] = []
    for (const item of items) {
      if (item.kind === 'use') {
        const id = ids++
        uses.push({ id, pattern: item.at && join(prefix, item.at) })
        const args = item.at === undefined ? [step(id)] : [item.at, step(id)]
        app = door === 'pipe' ? use(item.at === undefined ? step(id) : at(item.at, step(id)))(app) : app.use(...args)
      } else if (item.kind === 'route') {
        const id = ids++
        const entries = item.own.map((path) => ({ id: ids++, pattern: path && join(prefix, path) }))
        const steps = item.own.map((path, index) =>
          path === undefined ? step(entries[index]!.id) : at(path, step(entries[index]!.id)),
        )
        const handler = (): Response => {
          log.push(id)
          return new Response('ok')
        }
        own.push({ id, method: item.method, path: join(prefix, item.path), entries })
        app =
          door === 'pipe'
            ? (route as any)(item.method, item.path, ...steps, handler)(app)
            : app[methods[item.method as 'GET']](item.path, ...steps, handler)
      } else {
        const inner: Entry[] = []
        const whole = join(prefix, item.prefix)
        const fill = (from: any): any => {
          const made = write(from, item.items, whole, inner)
          own.push(...made.routes.map((one) => ({ ...one, entries: [...inner, ...one.entries] })))
          return made.app
        }
        if (door === 'pipe')
          app = item.kind === 'group' ? group(item.prefix, fill)(app) : mount(item.prefix, fill(blank))(app)
        else if (item.kind === 'group') app.group(item.prefix, fill)
        else app.mount(item.prefix, fill(create()))
      }
    }
    return { app, routes: own }
  }
  const uses: Entry[] = []
  const made = write(create(), tree, '', uses)
  routes.push(...made.routes)
  return { fetch: door === 'pipe' ? toFetch(made.app) : made.app.fetch, uses, routes }
}

const escaped = (text: string): string => text.replace(/[a-z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`)
const segment = fc
  .tuple(
    fc.oneof(
      { weight: 6, arbitrary: word },
      { weight: 1, arbitrary: fc.constantFrom('z', '', '%', '%zz', '%2e', 'q%2Fr') },
    ),
    fc.nat(4),
  )
  .map(([text, mode]) => (mode === 1 ? escaped : String)(encodeURI(text).replace(/%25/g, '%')))
const ask = fc.record({
  segments: fc.array(segment, { maxLength: 5 }),
  slashes: fc.array(fc.constantFrom('/', '/', '/', '/', '%2F', '%2f'), { minLength: 6, maxLength: 6 }),
  end: fc.constantFrom('', '', '/'),
  method: fc.constantFrom('GET', 'GET', 'HEAD', 'OPTIONS', 'POST'),
  wanted: fc.constantFrom(undefined, 'GET', 'POST'),
  /** Which of the tree's own patterns the path is made of, if any, and how. */
  own: fc.nat(),
  how: fc.nat(9),
})

describe.each(['createApp', 'tiny', 'pipe'] as const)('I2: scope is compiled, through %s', (door) => {
  test('the chain of a request is what a naive model runs, which asks each pattern at run time', async () => {
    let compared = 0
    await fc.assert(
      fc.asyncProperty(itemsOf(2), fc.array(ask, { minLength: 1, maxLength: 4 }), async (tree, asks) => {
        const log: number[] = []
        let built: ReturnType<typeof build>
        try {
          built = build(tree, door, log)
        } catch (error) {
          // Two parameters of one name, and middleware that would guard nothing
          if (!/^(path|mount: routes): expected/.test((error as Error).message)) throw error
          return
        }
        const { fetch, uses, routes } = built
        const entries = (method?: string) =>
          routes.map((one) => ({
            method: method ?? one.method,
            path: new URL(one.path, 'http://h').pathname,
            value: one,
          }))
        const router = createRouter(entries())
        const anyMethod = createRouter(entries('*'))
        const patterns = routes.flatMap((one) => [one.path, ...one.entries.map((entry) => entry.pattern ?? '/')])
        for (const { segments, slashes, end, how, own, ...asked } of asks) {
          const made = patterns[own % patterns.length]
            ?.replace(/\/[:*][\w-]*/g, () => `/${segments[0] || 'z'}`)
            .split('/')
            .map((text) => encodeURI(text).replace(/%25/g, '%'))
            .join('/')
          const raw = `/${segments.map((text, index) => (index ? slashes[index] : '') + text).join('')}${end}`
          const target =
            how < 2 || !made ? raw : how === 2 ? escaped(made) : how < 5 ? made.replace(/(?<=.)\//g, '%2F') : made + end
          const { pathname } = new URL(`http://h${target}`)
          const headers: HeadersInit = asked.wanted ? { 'access-control-request-method': asked.wanted } : {}
          log.length = 0
          const { status } = await fetch(new Request(`http://h${target}`, { method: asked.method, headers }))
          const ran = log.splice(0)
          const decodable = isDecodable(pathname)
          const hit = decodable ? router.find(asked.method, pathname)?.value : undefined
          const first = decodable && !hit ? anyMethod.find('*', pathname)?.value : undefined
          const named =
            first && asked.method === 'OPTIONS' && asked.wanted && router.find(asked.wanted, pathname)?.value
          const around = [...uses, ...((hit ?? (named || first))?.entries ?? [])]
          const expected = around.filter((entry) => covers(entry, pathname)).map(({ id }) => id)
          compared++
          expect({ target, ...asked, ran, status }).toEqual({
            target,
            ...asked,
            ran: hit ? [...expected, hit.id] : expected,
            status: decodable ? (hit ? 200 : 404) : 400,
          })
        }
      }),
      { numRuns: runs(6_000, 20) },
    )
    expect(compared).toBeGreaterThan(200)
  })
})
