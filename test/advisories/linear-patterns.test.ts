import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { checkSync } from 'recheck'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'
import { createApp } from '../../src/app.ts'
import { compression } from '../../src/middleware/compression.ts'
import { text } from '../../src/respond/text.ts'
import { doors } from '../harness.ts'

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

  test.each(literals)('%s', { timeout: 20_000 }, (literal) => {
    const end = literal.lastIndexOf('/')
    const { status } = checkSync(literal.slice(1, end), literal.slice(end + 1), { timeout: 15_000 })
    expect(status).toBe('safe')
  })
})

describe.each(doors)('%s', (_, door) => {
  const wide = `a${'\t'.repeat(60_000)}b`

  test.each([
    ['a header that a handler repeats', (ctx: any) => text('x', 200, { 'x-echo': ctx.header('x-wide') })],
    [
      'a content type that a handler repeats',
      (ctx: any) => new Response('x', { headers: { 'content-type': ctx.header('x-wide') } }),
    ],
  ])('60 kB of tabs in %s cost less than 500 ms', async (_, handler) => {
    const fetch = door({ use: [compression()], routes: [['GET', '/', handler]] })
    const start = performance.now()
    const response = await fetch(new Request('http://localhost/', { headers: { 'x-wide': wide } }))
    expect(response.status).toBe(200)
    expect(performance.now() - start).toBeLessThan(500)
  })

  test('a prefix of 60,000 slashes is read at once', () => {
    const start = performance.now()
    door({ basePath: `${'/'.repeat(60_000)}a`, routes: [['GET', '/', () => text('x')]] })
    expect(performance.now() - start).toBeLessThan(500)
  })
})

test('R24: a name is doubled only where both are parameters', () => {
  expect(() => createApp().get('/:id/x/:id', () => text('x'))).toThrow(TypeError)
  expect(() => createApp().get('/:id/*id', () => text('x'))).toThrow(TypeError)
  expect(() => createApp().get('/x:id/:id', () => text('x'))).not.toThrow()
})
