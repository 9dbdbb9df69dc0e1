import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

const root = fileURLToPath(new URL('../src', import.meta.url))
const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => name.replaceAll('\\', '/'))
  .sort()

interface Import {
  /** Path below src, `#runtime/…`, or the name of a package. */
  readonly target: string
  readonly typeOnly: boolean
}

/** The import and export statements of a file, and its dynamic imports. Comments are left out. */
const importsOf = (file: string): Import[] => {
  const code = readFileSync(join(root, file), 'utf8')
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/^\s*\/\/.*$/gm, '')
  const statics = Array.from(
    code.matchAll(/^(?:import|export)\s+(type\s+)?(?:([^'"]*?)\s+from\s+)?['"]([^'"]+)['"]/gm),
    ([, type, names = '', target]) => ({
      target: target!,
      typeOnly: type !== undefined || /^\{\s*(type [^,}]+,?\s*)+\}$/.test(names.trim()),
    }),
  )
  const dynamic = Array.from(code.matchAll(/\bimport\(\s*['"]([^'"]+)['"]\s*\)/g), ([, target]) => ({
    target: target!,
    typeOnly: false,
  }))
  return [...statics, ...dynamic].map(({ target, typeOnly }) => ({
    target: target.startsWith('.') ? posix.join(dirname(file), target) : target,
    typeOnly,
  }))
}

const graph = new Map(files.map((file) => [file, importsOf(file)]))

/** Imports of files that match, as `file -> target` lines, save those that are allowed. Types alone bind nothing at run time. */
const forbidden = (from: RegExp, allowed: readonly RegExp[], { types = false } = {}): string[] =>
  [...graph].flatMap(([file, imports]) =>
    from.test(file)
      ? imports
          .filter(({ target, typeOnly }) => (types || !typeOnly) && !allowed.some((rule) => rule.test(target)))
          .map(({ target }) => `${file} -> ${target}`)
      : [],
  )

test('the graph was read', () => {
  expect(files.length).toBeGreaterThan(100)
  expect(graph.get('to-fetch.ts')!.map(({ target }) => target)).toContain('router.ts')
})

describe('DESIGN 3: who may import whom', () => {
  test.each([
    ['router and pipe import nothing but paths', /^(router|pipe)\.ts$/, [/^internal\/(bag|path|pattern)\.ts$/]],
    ['compose imports nothing but helpers', /^compose\.ts$/, [/^internal\//]],
    [
      'to-fetch',
      /^to-fetch\.ts$/,
      [
        /^(compose|context|create-context|router|errors|plan|scope)\.ts$/,
        /^internal\//,
        /^#runtime\/(request|response)$/,
      ],
    ],
    [
      'respond, errors and context',
      /^(respond\/.*|errors|create-context)\.ts$/,
      [/^internal\//, /^#runtime\/(request|response|no-content)$/, /^compose\.ts$/],
    ],
    ['internal imports internal', /^internal\//, [/^internal\//, /^#runtime\//]],
    ['the runtimes', /^runtime\//, [/^runtime\//, /^internal\//, /^node:/, /^bun/, /^cloudflare:/, /^jsr:/]],
    ['z works without HTTP', /^z(\.ts|\/)/, [/^z\//, /^internal\//]],
    ['env', /^env\.ts$/, [/^#runtime\/(env|env-file|async-local)$/, /^internal\//]],
    [
      'databases stand alone',
      /^database\//,
      [/^database\//, /^internal\//, /^kysely/, /^node:/, /^bun:/, /^pg$/, /^mysql2/, /^@photostructure\/sqlite$/],
    ],
    [
      'stores know no middleware',
      /^stores\//,
      [/^stores\//, /^internal\//, /^#runtime\//, /^(session|errors|context)\.ts$/],
    ],
  ])('%s', (_, from, allowed) => expect(forbidden(from, allowed)).toEqual([]))

  test('no middleware imports another, nor z', () => {
    expect(forbidden(/^middleware\//, [/^(?!middleware\/|z(\.ts|\/))/])).toEqual([])
  })

  test('nobody inside imports the full import', () => {
    expect(forbidden(/^(?!index\.ts)/, [/^(?!index\.ts$)/], { types: true })).toEqual([])
  })

  test('a runtime imports itself and what all share, not another runtime', () => {
    for (const name of ['node', 'bun', 'deno', 'edge', 'platform']) {
      expect(
        forbidden(new RegExp(`^runtime/${name}/`), [
          /^(?!runtime\/)/,
          new RegExp(`^runtime/(${name}|platform)/`),
          /^runtime\/contract\.ts$/,
        ]),
      ).toEqual([])
    }
  })

  test('runtimes are reached as #runtime only; their contract is types', () => {
    expect(forbidden(/^(?!runtime\/)/, [/^(?!runtime\/)/])).toEqual([])
  })

  test('nothing imports databases, and only databases import packages', () => {
    expect(forbidden(/^(?!database\/)/, [/^(?!database\/)/])).toEqual([])
    expect(forbidden(/^(?!database\/|runtime\/)/, [/\.ts$/, /^#runtime\//])).toEqual([])
  })

  test('every import is of a file that is there', () => {
    const missing = [...graph].flatMap(([file, imports]) =>
      imports
        .filter(({ target }) => target.endsWith('.ts') && !graph.has(target))
        .map(({ target }) => `${file} -> ${target}`),
    )
    expect(missing).toEqual([])
  })

  test('no circle at run time below the front doors', () => {
    const circles: string[] = []
    const visit = (file: string, trail: readonly string[]): void => {
      if (trail.includes(file)) {
        circles.push([...trail.slice(trail.indexOf(file)), file].join(' -> '))
        return
      }
      if (done.has(file)) return
      for (const { target, typeOnly } of graph.get(file) ?? []) if (!typeOnly) visit(target, [...trail, file])
      done.add(file)
    }
    const done = new Set<string>()
    for (const file of files) visit(file, [])
    expect(circles).toEqual([])
  })
})

describe('names of runtimes', () => {
  /** Code without comments, strings and regular expressions' insides: names in texts are no uses. */
  const code = (file: string): string =>
    readFileSync(join(root, file), 'utf8')
      .replace(/\/\*[\s\S]*?\*\//g, '')
      .replace(/(^|\s)\/\/.*$/gm, '')
      .replace(/'(?:[^'\\\n]|\\.)*'/g, "''")
      .replace(/`(?:[^`\\$]|\\.|\$(?!\{))*`/g, '``')

  test('process, Buffer, Bun and Deno stand below src/runtime and src/database only', () => {
    const uses = files
      .filter((file) => !/^(runtime|database)\//.test(file))
      .flatMap((file) =>
        Array.from(code(file).matchAll(/(?<![\w.'$-])(process|Buffer|Bun|Deno)\s*\./g), ([use]) => `${file}: ${use}`),
      )
    expect(uses).toEqual([])
  })

  test('node:* is imported there only', () => {
    expect(
      forbidden(/^(?!runtime\/(node|bun|deno|platform)\/|database\/)/, [/^(?!node:|bun:?|cloudflare:)/], {
        types: true,
      }),
    ).toEqual([])
  })

  test('nothing that the edge loads reaches node:*', () => {
    const seen = new Set<string>()
    const visit = (file: string): void => {
      if (seen.has(file)) return
      seen.add(file)
      for (const { target, typeOnly } of graph.get(file) ?? []) {
        if (!typeOnly)
          visit(target.startsWith('#runtime/') ? `${target.replace('#runtime', 'runtime/edge')}.ts` : target)
      }
    }
    for (const file of files)
      if (/^(runtime\/edge\/|index\.ts|z\.ts|middleware\/|respond\/|stores\/)/.test(file)) visit(file)
    expect([...seen].filter((target) => /^(node|bun):|^runtime\/(node|bun|deno)\//.test(target))).toEqual([])
    expect([...seen].filter((target) => target.startsWith('runtime/edge/') && !graph.has(target))).toEqual([])
  })

  test('no eval, no new Function, no default export, no enum', () => {
    const bad = files.flatMap((file) =>
      Array.from(
        code(file).matchAll(/\bnew Function\b|\beval\(|^export default\b|^\s*(?:export )?(?:const )?enum \w/gm),
        ([use]) => `${file}: ${use}`,
      ),
    )
    expect(bad).toEqual([])
  })

  test('file names are kebab-case', () => {
    expect(files.filter((file) => !/^(?:[a-z0-9]+(?:-[a-z0-9]+)*\/)*[a-z0-9]+(?:-[a-z0-9]+)*\.ts$/.test(file))).toEqual(
      [],
    )
    expect(relative(root, join(root, files[0]!))).toBe(files[0])
  })
})
