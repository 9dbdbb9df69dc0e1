import { describe, expect, test } from 'vitest'
import { type LanguageOptions, language } from '../../src/middleware/language.ts'
import { text } from '../../src/respond/text.ts'
import { doors } from '../harness.ts'

describe.each(doors)('MX9: language through %s', (_, door) => {
  const supported = ['en', 'de-CH', 'de', 'zh-Hant', 'fr']
  const ask = async (path: string, headers: Record<string, string>, options: Partial<LanguageOptions> = {}) => {
    const fetch = door({
      use: [language({ supported, ...options })],
      routes: [['GET', '/*', (ctx) => text(ctx.state.language)]],
    })
    return fetch(new Request(`http://localhost${path}`, { headers }))
  }

  test.each<[string, string, string]>([
    ['one language', 'fr', 'fr'],
    ['the most wanted', 'fr;q=0.5, de;q=0.8', 'de'],
    ['of equals the first', 'fr, de', 'fr'],
    ['an exact tag', 'de-CH', 'de-CH'],
    ['a longer tag finds a shorter one', 'de-CH-1996', 'de-CH'],
    ['a longer tag finds the language', 'de-AT', 'de'],
    ['a shorter tag finds no longer one', 'zh, fr;q=0.1', 'fr'],
    ['single letters go with their subtag', 'zh-Hant-x-wide', 'zh-Hant'],
    ['any case', 'DE-ch', 'de-CH'],
    ['the next one if the first is not spoken', 'ja, fr;q=0.1', 'fr'],
    ['a weight of 0 is no wish', 'fr;q=0', 'en'],
    ['everything', '*', 'en'],
    ['nothing that is spoken', 'ja', 'en'],
    ['an empty field', '', 'en'],
    ['an invalid tag', '__proto__, constructor', 'en'],
    ['a tag of the longest length', `de-${'a'.repeat(61)}`, 'de'],
    ['a tag that is too long', `de-${'a'.repeat(62)}`, 'en'],
  ])('MX9: Accept-Language: %s', async (_, accept, expected) => {
    const response = await ask('/', { 'accept-language': accept })
    expect({ text: await response.text(), 'content-language': response.headers.get('content-language') }).toEqual({
      text: expected,
      'content-language': expected,
    })
  })

  test.each<[string, string, Record<string, string>, Partial<LanguageOptions>, string]>([
    ['the query wins over the cookie', '/?lang=fr', { cookie: 'lang=de' }, {}, 'fr'],
    ['the cookie wins over the header', '/', { cookie: 'lang=de', 'accept-language': 'fr' }, {}, 'de'],
    ['a query that is not spoken', '/?lang=ja', { cookie: 'lang=de' }, {}, 'de'],
    ['another order', '/?lang=fr', { 'accept-language': 'de' }, { order: ['header', 'query'] }, 'de'],
    ['a query in any case', '/?lang=DE-ch', {}, {}, 'de-CH'],
    ['the path', '/de-ch/x', {}, { order: ['path'] }, 'de-CH'],
    ['the path is not looked at', '/fr', {}, {}, 'en'],
    ['names', '/?l=fr', { cookie: 'c=de' }, { query: 'l', cookie: 'c' }, 'fr'],
    ['the name of the cookie', '/', { cookie: 'lang=fr; c=de' }, { cookie: 'c' }, 'de'],
    ['a fallback', '/', {}, { fallback: 'fr' }, 'fr'],
  ])('MX9: %s', async (_, path, headers, options, expected) => {
    expect(await (await ask(path, headers, options)).text()).toBe(expected)
  })

  test('MX9: Vary names the fields that decide', async () => {
    const varyOf = async (options: Partial<LanguageOptions>) => (await ask('/', {}, options)).headers.get('vary')
    expect({
      both: await varyOf({}),
      header: await varyOf({ order: ['header'] }),
      query: await varyOf({ order: ['query'] }),
    }).toEqual({
      both: 'Accept-Language, Cookie',
      header: 'Accept-Language',
      query: null,
    })
  })

  test('MX9: a handler that names its language keeps it', async () => {
    const fetch = door({
      use: [language({ supported })],
      routes: [['GET', '/', () => text('x', 200, { 'content-language': 'mi' })]],
    })
    expect((await fetch('/')).headers.get('content-language')).toBe('mi')
  })

  test('MX9: the path is below the base path', async () => {
    const fetch = door({
      basePath: '/app',
      use: [language({ supported, order: ['path'] })],
      routes: [['GET', '/*', (ctx) => text(ctx.state.language)]],
    })
    expect(await (await fetch('/app/fr/x')).text()).toBe('fr')
  })
})

test.each([
  'en',
  'en-GB',
  'zh-Hant-TW',
  'de-CH-1996',
  'sgn-BE-FR',
  'i-klingon',
  'x-own',
  'x-1',
  'en-a-bbb',
  'en-x-a',
  'en-1-a',
  'en-x-1',
  'eightlet',
  'en-eightlet',
  'x-eightlet',
  'en-x-eightlet',
])('MX9: a tag of RFC 5646 is supported: %s', (tag) => expect(() => language({ supported: [tag] })).not.toThrow())

test.each([
  'e',
  'i',
  'x',
  'x-',
  '1',
  'en-',
  '-en',
  'en--GB',
  'en-x',
  'e-GB',
  'en_GB',
  'ninechars',
  'en-ninechars',
  'x-ninechars',
  'en-x-ninechars',
  'en\n',
])('MX9: what is no tag of RFC 5646 is refused: %j', (tag) =>
  expect(() => language({ supported: ['en', tag] })).toThrow('language: supported: expected a list of tags'),
)

test.each<[string, any, RegExp]>([
  ['no languages', {}, /^language: supported: expected a list of tags such as/],
  ['an empty list', { supported: [] }, /^language: supported: /],
  ['an invalid tag', { supported: ['en us'] }, /^language: supported: /],
  ['another fallback', { supported: ['en'], fallback: 'de' }, /^language: fallback: expected one of the supported/],
  ['another source', { supported: ['en'], order: ['body'] }, /^language: order: expected some of path, query/],
  ['one of several sources', { supported: ['en'], order: ['query', 'body'] }, /^language: order: expected some of/],
  ['a query that is no text', { supported: ['en'], query: 7 }, /^language: query: expected a string, got 7$/],
  ['a cookie that is no text', { supported: ['en'], cookie: 7 }, /^language: cookie: expected a string, got 7$/],
  ['a source that is no list', { supported: ['en'], order: 'header' }, /^language: order: expected some of path/],
  ['no source', { supported: ['en'], order: [] }, /^language: order: expected some of path/],
  ['an unknown option', { supported: ['en'], default: 'en' }, /^language: default: unknown option/],
])('MX9: refuses %s', (_, options, message) => {
  expect(() => language(options)).toThrow(message)
})
