import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'
import { circles, files, forbidden, generators, graph, root } from './layers-graph.ts'

/** What each runtime must provide: types alone. */
const CONTRACT = /^runtime\/(?:node-|serve-)?contract\.ts$/

test('the graph was read', () => {
  expect(files.length).toBeGreaterThan(100)
  expect(graph.get('kernel/fetch.ts')!.map(({ target }) => target)).toContain('kernel/compose.ts')
})

/** The kernel: what every application ships. */
const KERNEL = /^kernel\/|^(router|errors)\.ts$|^errors\//

test('the kernel is held in the head: 1,000 lines of code and comments without types, none above 150', () => {
  const lines = files
    .filter((file) => file.startsWith('kernel/'))
    .map((file) => {
      const source = readFileSync(join(root, file), 'utf8')
      const compilerOptions = { target: ts.ScriptTarget.ESNext, verbatimModuleSyntax: true }
      const { outputText } = ts.transpileModule(source, { compilerOptions })
      return outputText.split('\n').filter((line) => line.trim()).length
    })
  expect(Math.max(...lines)).toBeLessThanOrEqual(150)
  expect(lines.reduce((sum, count) => sum + count)).toBeLessThanOrEqual(1000)
})

/** What every schema throws: it imports internal alone. */
const VALIDATION_ERROR = /^errors\/validation-error\.ts$/

/** What an application imports beside the kernel: one capability a file. */
const CAPABILITIES = /^(signal|cookie|session)\.ts$|^(pipe|read)\//

describe('who may import whom, types included', () => {
  test.each([
    [
      'internal imports internal, the contract of the runtimes, and of what is public the error of a schema',
      /^internal\/(?!database|cache\/|session\/)/,
      [/^internal\/(?!database)/, VALIDATION_ERROR, /^#runtime\//, CONTRACT, /^jose$/, /^@nats-io\//],
    ],
    [
      'what middleware is made of may import the kernel as well',
      /^internal\/(cache|session)\//,
      [KERNEL, /^internal\/(?!database)/, /^#runtime\//],
    ],
    [
      'a runtime imports itself, what all share, and internal',
      /^runtime\//,
      [/^runtime\//, /^internal\//, /^node:/, /^bun/, /^cloudflare:/, /^jsr:/, /^ws$/, /^jose$/],
    ],
    ['the kernel imports the kernel and internal', KERNEL, [KERNEL, /^internal\//, /^#runtime\/core$/, CONTRACT]],
    [
      'a capability imports the kernel, capabilities and internal',
      CAPABILITIES,
      [KERNEL, CAPABILITIES, /^internal\//, /^#runtime\/core$/],
    ],
    [
      'createApp imports the kernel, capabilities, response helpers, the container and its providers',
      /^app\//,
      [
        /^app\//,
        KERNEL,
        CAPABILITIES,
        /^(respond|container|env|provider)\//,
        /^internal\/(?!database)/,
        /^#runtime\/core$/,
        CONTRACT,
      ],
    ],
    [
      'a response helper imports internal',
      /^respond\//,
      [/^internal\//, /^#runtime\/core$/, /^respond\/redirect\.ts$/],
    ],
    [
      'a middleware imports no other middleware, no schema and no application',
      /^middleware\//,
      [
        /^middleware\/(logger\/)?[\w-]+\.ts$/,
        KERNEL,
        CAPABILITIES,
        /^internal\/(?!database|z\/)/,
        /^(respond|stores|rate-limit|container|env)\//,
        /^client-address\.ts$/,
        /^#runtime\//,
        /^jose$/,
      ],
    ],
    [
      'a store imports no middleware',
      /^stores\//,
      [/^stores\//, /^internal\//, /^#runtime\//, KERNEL, CAPABILITIES, /^database\.ts$/, /^kysely$/],
    ],
    ['passwords work without HTTP', /^password\.ts$/, [/^internal\/(?!database)/, /^#runtime\/core$/]],
    ['markup works without HTTP', /^(html|jsx-(dev-)?runtime)\.ts$/, [/^internal\/markup\//, /^jsx-runtime\.ts$/]],
    ['z works without HTTP', /^(z|zod3)(\.ts|\/(?!plugin))/, [/^z\//, VALIDATION_ERROR, /^internal\//]],
    [
      'the chain of z knows nothing of zod3, but for the type of deepPartial',
      /^z(\.ts|\/(?!all\/|plugin|deep-partial))/,
      [/^z\/(?!all\/)/, VALIDATION_ERROR, /^internal\//],
    ],
    ['its plug-in for bundlers runs a command', /^z\/plugin/, [/^internal\//, /^#runtime\/own-command$/]],
    [
      'openapi reads plans, and starts nothing',
      /^openapi(\.ts|\/)/,
      [
        KERNEL,
        CAPABILITIES,
        /^openapi\//,
        /^env\//,
        /^app\/routes\.ts$/,
        /^internal\/(?!database)/,
        /^#runtime\/core$/,
      ],
    ],
    [
      'an adapter needs the kernel alone: whatever application it is given',
      /^adapter\//,
      [KERNEL, /^internal\/(?!database)/, /^#runtime\/core$/],
    ],
    [
      'the schemas of a model are made of z, and named for documents',
      /^database\/(fields|schemas)\.ts$/,
      [/^database\//, /^internal\/(?:database\/|types\/simplify\.ts$)/, /^z\.ts$/, /^openapi\/named\.ts$/],
    ],
    [
      'what routes of a resource share is made of schemas, and of the types of models',
      /^resource\.ts$/,
      [
        /^database\/(?:model-types|schemas)\.ts$/,
        /^internal\/(?:options\/check|database\/define\/field)\.ts$/,
        /^z\.ts$/,
        /^openapi\/named\.ts$/,
      ],
    ],
    [
      'databases stand alone',
      /^(database(\.ts|\/(?!(?:fields|schemas)\.ts))|internal\/database\/)/,
      [
        /^database\//,
        /^internal\//,
        /^errors\/http-error\.ts$/,
        /^#runtime\//,
        /^kysely/,
        /^node:/,
        /^bun:/,
        /^pg$/,
        /^mysql2/,
        /^@photostructure\/sqlite$/,
      ],
    ],
  ])('%s', (_, from, allowed) => expect(forbidden(from, allowed)).toEqual([]))

  test('no middleware imports another one', () => {
    expect(forbidden(/^middleware\/[\w-]+\.ts$/, [/^(?!middleware\/[\w-]+\.ts)/])).toEqual([])
  })

  test('no module of the package imports the full import', () => {
    expect(forbidden(/^(?!index\.ts)/, [/^(?!index\.ts$)/])).toEqual([])
  })

  test('a runtime imports no other runtime', () => {
    for (const name of ['node', 'bun', 'deno', 'edge', 'platform']) {
      const own = new RegExp(`^runtime/(${name}|platform)/`)
      expect(forbidden(new RegExp(`^runtime/${name}/`), [/^(?!runtime\/)/, own, CONTRACT])).toEqual([])
    }
  })

  test('runtimes are reached as #runtime only; their contract is types', () => {
    expect(forbidden(/^(?!runtime\/)/, [/^(?!runtime\/)/, CONTRACT])).toEqual([])
    for (const [file, imports] of graph)
      for (const { target, typeOnly } of imports)
        if (CONTRACT.test(target)) expect({ file, typeOnly }).toEqual({ file, typeOnly: true })
  })

  test('only databases, their stores, what signs tokens, the channel of NATS and tracing import packages', () => {
    const others =
      /^(?!database|internal\/database|runtime\/|stores\/sql|middleware\/jwt|internal\/auth\/jwt|jwt\.ts|(?:internal\/)?channel\/nats|tracing)/
    expect(forbidden(others, [/\.ts$/, /^#runtime\//])).toEqual([])
  })

  test('every import is of a file that is there', () => {
    const missing = [...graph].flatMap(([file, imports]) =>
      imports
        .filter(({ target }) => target.endsWith('.ts') && !graph.has(target))
        .map(({ target }) => `${file} -> ${target}`),
    )
    expect(missing).toEqual([])
  })

  test.each([
    ['src', graph],
    ['generators', generators],
  ])('there is no circle in %s', (_, of) => {
    expect(of.size).toBeGreaterThan(100)
    expect(circles(of)).toEqual([])
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

  test('process, Buffer, Bun and Deno stand below src/runtime and databases only', () => {
    const uses = files
      .filter((file) => !/^(runtime|database|internal\/database)\//.test(file))
      .flatMap((file) =>
        Array.from(code(file).matchAll(/(?<![\w.'$-])(process|Buffer|Bun|Deno)\s*\./g), ([use]) => `${file}: ${use}`),
      )
    expect(uses).toEqual([])
  })

  test('node:* is imported there only', () => {
    expect(
      forbidden(/^(?!runtime\/(node|bun|deno|platform)\/|database\/|internal\/database\/)/, [
        /^(?!node:|bun:?|cloudflare:)/,
      ]),
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
      if (/^(runtime\/edge\/|index\.ts|z\.ts|middleware\/|respond\/|stores\/|adapter\/)/.test(file)) visit(file)
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

  test('only doors, and the names of #runtime, consist of exports of other files', () => {
    const statements = (file: string): readonly ts.Statement[] =>
      ts.createSourceFile(file, readFileSync(join(root, file), 'utf8'), ts.ScriptTarget.Latest).statements
    const passesOn = files.filter((file) =>
      statements(file).every((one) => ts.isExportDeclaration(one) && one.moduleSpecifier !== undefined),
    )
    expect(passesOn.filter((file) => !/^[^/]+$|^runtime\/(?:node|bun|deno|edge)\//.test(file))).toEqual([])
  })

  test('internal has folders only, one subject each', () => {
    expect(files.filter((file) => /^internal\/[^/]+$/.test(file))).toEqual([])
  })

  test('file names are kebab-case', () => {
    expect(files.filter((file) => !/^(?:[a-z0-9]+(?:-[a-z0-9]+)*\/)*[a-z0-9]+(?:-[a-z0-9]+)*\.ts$/.test(file))).toEqual(
      [],
    )
  })
})
