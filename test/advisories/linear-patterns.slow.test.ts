import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { checkSync } from 'recheck'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'

const src = fileURLToPath(new URL('../../src', import.meta.url))

const literalsOf = (file: string): string[] => {
  const literals: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) literals.push(node.text)
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest))
  return literals
}

const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))
const literals = [...new Set(files.flatMap((file) => literalsOf(join(src, file))))]

describe('path-to-regexp CVE-2024-45296, zod CVE-2023-4316: every regular expression in src takes linear time', () => {
  test('they are found', () => {
    expect(literals.length).toBeGreaterThan(100)
  })

  test.each(literals)('%s', { timeout: 180_000 }, (literal) => {
    const end = literal.lastIndexOf('/')
    const { status } = checkSync(literal.slice(1, end), literal.slice(end + 1), { timeout: 150_000 })
    expect(status).toBe('safe')
  })
})
