import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { dist, htmlOf, pages } from './site.ts'

const known = pages()
const html = new Map(known.map((path) => [path, htmlOf(path)]))
const ids = new Map(
  Array.from(html, ([path, text]) => [path, new Set(Array.from(text.matchAll(/\sid="([^"]+)"/g), ([, id]) => id!))]),
)

/** Why a link leads nowhere; `undefined` if it leads somewhere. */
const faultOf = (from: string, href: string): string | undefined => {
  const { pathname, hash } = new URL(href.replaceAll('&amp;', '&'), `http://site${from}`)
  if (pathname.startsWith('/playground/') || existsSync(`${dist}${pathname.slice(1)}`) === /\.\w+$/.test(pathname)) {
    if (!ids.has(pathname)) return pathname === '/playground/' || /\.\w+$/.test(pathname) ? undefined : 'no page'
  }
  const anchors = ids.get(pathname)
  if (!anchors) return 'no page'
  return hash && !anchors.has(decodeURIComponent(hash.slice(1))) ? 'no such anchor' : undefined
}

describe('the built site', () => {
  test('has the pages of docs, recipes and reference', () => {
    expect(known).toEqual(expect.arrayContaining(['/', '/start', '/tutorial', '/routing', '/recipes/', '/middleware/']))
    expect(known.filter((path) => path.startsWith('/recipes/')).length).toBeGreaterThan(40)
    expect(known).toContain('/reference/middleware/cors')
    expect(known.filter((path) => path.includes('contract'))).toEqual([])
  })

  test('every internal link leads to a page and to an anchor that is there', () => {
    const faults = Array.from(html).flatMap(([path, text]) =>
      Array.from(text.matchAll(/<a\s[^>]*?href="([^"]+)"/g), ([, href]) => href!)
        .filter((href) => !/^(?:https?:|mailto:)/.test(href))
        .flatMap((href) => {
          const fault = faultOf(path, href)
          return fault ? [`${path}: ${href}: ${fault}`] : []
        }),
    )
    expect([...new Set(faults)]).toEqual([])
  })

  test('no page holds a comment of the tests or a path of the machine', () => {
    const found = Array.from(html).filter(([, text]) =>
      /given: |not tested: |\/site\/main\//.test(text.replace(/<script[\s\S]*?<\/script>/g, '')),
    )
    expect(found.map(([path]) => path)).toEqual([])
  })

  test('llms.txt lists pages whose markdown is there', () => {
    const list = readFileSync(`${dist}llms.txt`, 'utf8')
    const paths = Array.from(list.matchAll(/\]\((\/[^)]+\.md)\)/g), ([, path]) => path!)
    expect(paths.length).toBeGreaterThan(80)
    expect(paths.filter((path) => !existsSync(dist + path.slice(1)))).toEqual([])
    expect(readFileSync(`${dist}llms-full.txt`, 'utf8')).toContain('<page path="/routing.md">')
  })
})
