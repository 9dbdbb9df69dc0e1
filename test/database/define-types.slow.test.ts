import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { afterAll, expect, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = mkdtempSync(`${root}test/.define-`)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Type errors of a program in one file, and how many types the compiler instantiated for it. */
const check = (name: string, text: string): { errors: string[]; instantiations: number } => {
  const file = join(folder, `${name}.ts`)
  writeFileSync(file, text)
  const program = ts.createProgram([file], {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    lib: ['lib.es2023.d.ts', 'lib.es2024.string.d.ts', 'lib.dom.d.ts'],
    customConditions: ['sluice-source'],
    types: ['node'],
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: true,
    noEmit: true,
    allowImportingTsExtensions: true,
  })
  const errors = program.getSemanticDiagnostics(program.getSourceFile(file))
  return {
    errors: errors.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n')),
    // Not in the types of the compiler's API
    instantiations: (program as unknown as { getInstantiationCount: () => number }).getInstantiationCount(),
  }
}

const IMPORT = `import { Model, t } from '../../src/database.ts'\n`

/** Models in a ring, each with a nested query. */
const ring = (size: number): string => {
  const models = Array.from({ length: size }, (_, i) => {
    const [next, before] = [(i + 1) % size, (i + size - 1) % size]
    return `
      export class M${i} extends Model.define('m${i}', {
        name: t.string(40).unique(),
        text: t.text().nullable(),
        count: t.integer().default(0),
        next: t.belongsTo(() => M${next}),
        all: t.hasMany(() => M${before}),
      }) {}
      export const q${i} = async () =>
        (await M${i}.findMany({ where: { next: { name: 'x' } }, with: { next: { with: ['all'] } } }))[0]?.next.all[0]?.count`
  })
  return IMPORT + models.join('\n')
}

test('a hundred models in a ring compile, and cost as much each as ten do', () => {
  const none = check('none', `${IMPORT}export const models = [Model, t]`)
  const [ten, hundred] = [check('ten', ring(10)), check('hundred', ring(100))]
  expect([...none.errors, ...ten.errors, ...hundred.errors]).toEqual([])
  const each = ({ instantiations }: { instantiations: number }, size: number): number =>
    (instantiations - none.instantiations) / size
  expect(each(hundred, 100)).toBeLessThan(each(ten, 10) * 1.2)
})

test('seven models and fifteen queries cost at most 14,000 instantiations above the library', () => {
  const conduit = `import { Article, Comment, Tag, User } from '../database/conduit.ts'\n`
  const none = check('library', `${IMPORT}export const models = [Model, t]`)
  const queries = check(
    'queries',
    `${conduit}
    export const all = async () => {
      const [a] = await Article.findMany({ with: { author: true, tags: true, comments: { with: { author: true } } }, count: ['fans'] })
      const b = await Article.findOne({ where: { author: { username: 'x' } }, orderBy: { title: 'asc' } })
      const c = await User.findById(1, { with: ['articles'] })
      const d = await Article.findOneOrFail({ where: { slug: 'x' }, with: ['tags'] })
      const e = await Article.page({ page: 1, limit: 10, with: ['author'] })
      const f = await Article.after(undefined, { limit: 10, orderBy: { createdAt: 'desc' } })
      const g = await Tag.count({ where: { name: 'x' } })
      const h = await Tag.createMany([{ name: 'x' }])
      const i = await Tag.firstOrCreate({ name: 'x' })
      const j = await Article.upsert({ slug: 'x', title: 'x', authorId: 1 }, { by: ['slug'] })
      const k = await Article.updateWhere({ state: 'draft' }, { state: 'live' })
      const l = await Comment.deleteWhere({ article: { slug: 'x' } })
      const m = await d.related('tags').ids()
      const n = await c?.related('articles').findMany({ where: { title: 'x' } })
      const o = await Comment.create({ body: 'x', authorId: 1, articleId: 1 })
      return [a?.author.username, a?.fansCount, a?.comments[0]?.author.bio, b, e.data[0]?.author, f.meta.next, g, h, i, j, k, l, m, n, o]
    }`,
  )
  expect(queries.errors).toEqual([])
  expect(queries.instantiations - none.instantiations).toBeLessThanOrEqual(14_000)
})

test('an editor shows the parts of a record with its relations', () => {
  const file = join(folder, 'hover.ts')
  const text = `import { Article } from '../database/conduit.ts'
    export const found = await Article.findMany({ with: { author: true, tags: true }, count: ['fans'] })`
  writeFileSync(file, text)
  const program = ts.createProgram([file], {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    customConditions: ['sluice-source'],
    types: ['node'],
    strict: true,
    noEmit: true,
    allowImportingTsExtensions: true,
  })
  const checker = program.getTypeChecker()
  const source = program.getSourceFile(file)
  const [symbol] = source ? checker.getExportsOfModule(checker.getSymbolAtLocation(source)!) : []
  const shown = checker.typeToString(checker.getTypeOfSymbol(symbol!), undefined, ts.TypeFormatFlags.NoTruncation)
  expect(shown).toBe('(Article & { tags: Tag[]; author: User; fansCount: number; })[]')
})
