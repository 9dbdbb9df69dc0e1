import { fileURLToPath } from 'node:url'
import { defineConfig, type Plugin } from 'vitest/config'
import { FILES, MISSING, WORDS } from './scope.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const conditions = ['sluice-source', 'node', 'import', 'module', 'default']
const tests = 'node_modules/zod/src/v4/classic/tests'

/** Methods of strings in zod 4 that are functions in both: `z.string().ipv4()` is `z.ipv4()`. */
const FORMATS = /\bz\.string\(\)\.(ipv4|ipv6|cidrv4|cidrv6|e164|guid)\(/g

/** Functions of zod 4 that have another name in both: `z.parse(schema, value)` is `z.decode(schema, value)`. */
const PARSE = /\bz\.(parse|safeParse)\(/g
const DECODE: { readonly [name: string]: string } = { parse: 'z.decode(', safeParse: 'z.safeDecode(' }

const missing = new Set(Object.values(MISSING).flatMap((names) => names.split(' ')))
const words = Object.values(WORDS)

/** Does code name what `scope.ts` gives a reason for. A name without one is not skipped, so its case fails. */
const isOutside = (code: string): boolean =>
  words.some((word) => word.test(code)) ||
  Array.from(code.matchAll(/\bz\.(?:z\.)?([\w$]+)/g)).some(([, name]) => missing.has(name!))

/** Skip the cases that use what is not here, for a reason. It runs when types are gone already. */
const skipping: Plugin = {
  name: 'skip-what-is-outside',
  transform(code, id) {
    if (!id.includes(tests)) return undefined
    const known = code.replaceAll(FORMATS, 'z.$1(').replaceAll(PARSE, (_, name: string) => DECODE[name]!)
    const [head, ...cases] = known.split(/^(?=\s*(?:test|it)(?:\.each)?\()/m)
    return [head, ...cases.map((one) => (isOutside(one) ? one.replace(/\b(?:test|it)\b/, '$&.skip') : one))].join('')
  },
}

/** The tests that zod publishes for its version 4, where they lie, with `sluice/z` in the place of zod. */
export default defineConfig({
  root,
  plugins: [skipping],
  resolve: {
    conditions,
    alias: [
      { find: /^zod(?:\/v4)?$/, replacement: `${root}test/z/zod4/zod.ts` },
      { find: /^\.\.\/index\.js$/, replacement: `${root}test/z/zod4/zod.ts` },
      { find: /^@web-std\/file$/, replacement: `${root}test/z/zod4/file.ts` },
    ],
  },
  ssr: { resolve: { conditions } },
  test: {
    include: [`${tests}/*.test.ts`],
    exclude: Object.values(FILES).flatMap((names) => names.split(' ').map((name) => `${tests}/${name}.test.ts`)),
    setupFiles: ['./test/z/zod4/setup.ts'],
    server: { deps: { inline: [/zod\/src/] } },
    testTimeout: 20_000,
  },
})
