import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', 'src', 'generators'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => file.endsWith('.ts'))

/** Each node of a file with this property, as `file:line`. */
const places = (found: (node: ts.Node) => boolean): string[] =>
  sources.flatMap(({ file, tree }) => {
    const list: string[] = []
    const visit = (node: ts.Node): void => {
      if (found(node)) list.push(`${file}:${tree.getLineAndCharacterOfPosition(node.getStart()).line + 1}`)
      ts.forEachChild(node, visit)
    }
    visit(tree)
    return list
  })

const sources = files.map((file) => {
  const text = readFileSync(join(root, file), 'utf8')
  return {
    file,
    lines: text.split('\n').length - 1,
    tree: ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true),
  }
})
const folders = ['src/', 'generators/']
const thousandsIn = (folder: string): number =>
  sources.reduce((sum, { file, lines }) => sum + (file.startsWith(folder) ? lines : 0), 0) / 1_000

/** A cast that the compiler does not check: by `any`, by `never`, or by `unknown` to something else. */
const isUnchecked = (node: ts.Node): boolean =>
  ts.isAsExpression(node) &&
  (node.type.kind === ts.SyntaxKind.AnyKeyword ||
    node.type.kind === ts.SyntaxKind.NeverKeyword ||
    (ts.isAsExpression(node.expression) && node.expression.type.kind === ts.SyntaxKind.UnknownKeyword))

describe('K6: honest types', () => {
  test.each(folders)('at most 2.5 `any` in a thousand lines of %s', (folder) => {
    const found = places((node) => node.kind === ts.SyntaxKind.AnyKeyword).filter((place) => place.startsWith(folder))
    expect(found.length, found.join('\n')).toBeLessThanOrEqual(2.5 * thousandsIn(folder))
  })

  test.each(folders)('at most two unchecked casts in a thousand lines of %s', (folder) => {
    const found = places(isUnchecked).filter((place) => place.startsWith(folder))
    expect(found.length, found.join('\n')).toBeLessThanOrEqual(2 * thousandsIn(folder))
  })
})

describe('files', () => {
  test('have at most 200 lines', () => {
    expect(sources.filter(({ lines }) => lines > 200).map(({ file, lines }) => `${file}: ${lines}`)).toEqual([])
  })

  test('have comments of at most 120 columns', () => {
    const long = sources.flatMap(({ file, tree }) =>
      tree.text
        .split('\n')
        .flatMap((line, index) =>
          line.length > 120 && /^\s*(?:\/?\*|\/\/)/.test(line) ? [`${file}:${index + 1}`] : [],
        ),
    )
    expect(long).toEqual([])
  })

  test('have a median of at most 60 lines', () => {
    const sorted = sources.map(({ lines }) => lines).sort((a, b) => a - b)
    expect(sorted[sorted.length >> 1]).toBeLessThanOrEqual(60)
  })
})
