import fc from 'fast-check'
import Negotiator from 'negotiator'
import { describe, expect, test } from 'vitest'
import { accepts, acceptsEncodings, acceptsLanguages } from '../src/accepts.ts'
import { json } from '../src/respond/json.ts'
import { runs } from './fuzz.ts'
import { expectLinear } from './growth.ts'
import { doors } from './harness.ts'

describe.each(doors)('accepts through %s', (_, door) => {
  const ask = async (choose: (ctx: any) => unknown, name: string, field: string | undefined) => {
    const fetch = door({ routes: [['GET', '/', (ctx: any) => json([choose(ctx)])]] })
    const response = await fetch(
      new Request('http://localhost/', field === undefined ? {} : { headers: { [name]: field } }),
    )
    return { chosen: (await response.json())[0] ?? undefined, vary: response.headers.get('vary') }
  }

  test.each<[string | undefined, string[], string | undefined]>([
    [undefined, ['json', 'html'], 'json'],
    ['*/*', ['html', 'json'], 'html'],
    ['text/html, application/json', ['json', 'html'], 'html'],
    ['text/html;q=0.5, application/json', ['html', 'json'], 'json'],
    ['text/*, application/json', ['html', 'json'], 'json'],
    ['text/*;q=0.9, text/html;q=0.1', ['html', 'text'], 'text'],
    ['*/*;q=0.1, text/*', ['json', 'text'], 'text'],
    ['application/json;q=0', ['json'], undefined],
    ['application/json;q=0, */*', ['json', 'html'], 'html'],
    ['image/png', ['json', 'html'], undefined],
    ['text/html;level=1', ['text/html', 'text/html;level=1'], 'text/html;level=1'],
    ['TEXT/HTML', ['html'], 'html'],
    ['text/html;level=*', ['text/html;level=2'], 'text/html;level=2'],
    ['text/html;CHARSET=UTF-8', ['text/html;charset=utf-8'], 'text/html;charset=utf-8'],
    ['text/html;charset=utf-8', ['text/html;charset=UTF-8'], 'text/html;charset=UTF-8'],
    ['application/vnd.api+json', ['application/vnd.api+json', 'json'], 'application/vnd.api+json'],
    ['nonsense', ['json'], undefined],
    ['text/html;a="b,text/css;";c="d,5", text/plain', ['text/css', 'text'], 'text'],
    ['text/html;a=";level=2;"', ['text/html;level=2'], undefined],
    ['text/html;a=";level=2;"', ['text/html;a=";level=2;"'], 'text/html;a=";level=2;"'],
    ['text/html;a=";q=0", text/plain;q=0.1', ['text', 'text/html;a=";q=0"'], 'text/html;a=";q=0"'],
    [String.raw`text/html;a="\",text/css", text/plain`, ['text/css', 'text'], 'text'],
    ['text/html;a="b, text/css', ['text/css', 'html'], undefined],
    ['*/*', [], undefined],
    ['text/html;q=2, application/json', ['html', 'json'], 'json'],
    ['text/html;q=-1', ['html'], undefined],
  ])('MX17: of Accept %j and %j it is %j', async (field, offers, expected) => {
    expect(await ask((ctx) => accepts(ctx, offers), 'accept', field)).toEqual({ chosen: expected, vary: 'Accept' })
  })

  test.each<[string | undefined, string[], string | undefined]>([
    [undefined, ['gzip', 'identity'], 'identity'],
    [undefined, ['gzip'], undefined],
    ['gzip, br', ['br', 'gzip'], 'gzip'],
    ['gzip;q=0.5, br', ['gzip', 'br'], 'br'],
    ['*', ['br'], 'br'],
    ['gzip', ['identity'], 'identity'],
    ['gzip, identity;q=0', ['identity'], undefined],
    ['*;q=0', ['identity'], undefined],
    ['gzip;q=0', ['gzip', 'identity'], 'identity'],
  ])('MX17: of Accept-Encoding %j and %j it is %j', async (field, offers, expected) => {
    const answer = await ask((ctx) => acceptsEncodings(ctx, offers), 'accept-encoding', field)
    expect(answer).toEqual({ chosen: expected, vary: 'Accept-Encoding' })
  })

  test.each<[string | undefined, string[], string | undefined]>([
    [undefined, ['en', 'de'], 'en'],
    ['de, en', ['en', 'de'], 'de'],
    ['en-US', ['en'], 'en'],
    ['en', ['en-GB'], 'en-GB'],
    ['en-GB, en;q=0.8', ['en', 'en-GB'], 'en-GB'],
    ['fr', ['en'], undefined],
    ['fr, *;q=0.1', ['en'], 'en'],
    ['DE', ['de'], 'de'],
    ['de;q=0, *', ['de', 'en'], 'en'],
  ])('MX17: of Accept-Language %j and %j it is %j', async (field, offers, expected) => {
    const answer = await ask((ctx) => acceptsLanguages(ctx, offers), 'accept-language', field)
    expect(answer).toEqual({ chosen: expected, vary: 'Accept-Language' })
  })

  test.each([
    ['css', 'text/css'],
    ['csv', 'text/csv'],
    ['form', 'application/x-www-form-urlencoded'],
    ['html', 'text/html'],
    ['js', 'text/javascript'],
    ['json', 'application/json'],
    ['multipart', 'multipart/form-data'],
    ['pdf', 'application/pdf'],
    ['png', 'image/png'],
    ['svg', 'image/svg+xml'],
    ['text', 'text/plain'],
    ['txt', 'text/plain'],
    ['xml', 'application/xml'],
  ])('MX17: the name %s stands for %s, and comes back unchanged', async (name, type) => {
    const choose = (ctx: any) => accepts(ctx, ['text/vnd.other', name])
    expect((await ask(choose, 'accept', type)).chosen).toBe(name)
    expect((await ask(choose, 'accept', 'text/vnd.none')).chosen).toBeUndefined()
  })

  /** A hundred members: the one that decides, behind 99 that name nothing, is the last that is read. */
  test.each<[string, (ctx: any, offers: any) => unknown, string, string, string]>([
    ['accept', accepts, 'image/png', 'text/html', 'text/html'],
    ['accept', accepts, 'image/png', 'text/html;a="b,c"', 'text/html;a="b,c"'],
    ['accept-encoding', acceptsEncodings, 'zstd', 'br', 'br'],
    ['accept-language', acceptsLanguages, 'fr', 'de', 'de'],
  ])(
    'NA2: of %s, the first 100 members count and the rest is ignored (%#)',
    async (name, choose, other, last, offer) => {
      const chosenAt = async (place: number) => {
        const field = [...Array.from({ length: place - 1 }, () => other), last].join(',')
        return (await ask((ctx) => choose(ctx, [offer]), name, field)).chosen
      }
      expect({ hundredth: await chosenAt(100), next: await chosenAt(101) }).toEqual({
        hundredth: offer,
        next: undefined,
      })
    },
  )

  test.each(['jsn', 'j son', ''])('MX17: the name %j, which is no media type, is refused', async (name) => {
    const fetch = door({
      routes: [['GET', '/', (ctx: any) => json(accepts(ctx, [name]))]],
      onError: (error: any) => json(error.message),
    })
    expect(await (await fetch('/')).json()).toBe(
      `accepts: types: expected media types, or names such as "json", got "${name}"`,
    )
  })

  test('MX17: a name of the prototype is no short name', async () => {
    const fetch = door({
      routes: [['GET', '/', (ctx: any) => json(accepts(ctx, ['constructor']))]],
      onError: (error: any) => json(error.message),
    })
    expect(await (await fetch('/')).json()).toMatch(/^accepts: types: expected .*, got "constructor"$/)
  })
})

/** Nothing of a context but what is read. */
const contextOf = (name: string, field: string | undefined): any => ({
  header: (asked: string) => (asked === name ? (field ?? null) : null),
})

describe('NA2: a header of 60 kB costs as much as its length', () => {
  const offers = ['json', 'html', 'text', 'xml'].map((name) => `application/${name};a=b;c="d"`)
  test.each(['a/b,', '*/*,', 'a,', '*,', ',', '"', '"\\\\', 'a/b;a=b;a=b', 'a;"', 'a;q=0.1,', ';a="', '\\\\"', ',"'])(
    'of %j',
    async (unit) => {
      const make = (size: number) => unit.repeat(size / unit.length)
      await expectLinear(60_000, make, (field) => accepts(contextOf('accept', field), offers))
      await expectLinear(60_000, make, (field) => acceptsLanguages(contextOf('accept-language', field), ['en', 'de']))
      await expectLinear(60_000, make, (field) => acceptsEncodings(contextOf('accept-encoding', `"${field}`), ['br']))
    },
  )
})

describe('MX17: as npm negotiator chooses', () => {
  const weight = fc.constantFrom('', ';q=0', ';q=0.1', ';q=0.5', '; q=0.5', ';q=0.999', ';q=1', ';q=1.0')
  const fieldOf = (values: string[], params: string[] = ['']) =>
    fc.option(
      fc
        .array(
          fc.tuple(fc.constantFrom(...values), fc.constantFrom(...params), weight).map((parts) => parts.join('')),
          { maxLength: 6 },
        )
        .map((members) => members.join(', ')),
      { nil: undefined },
    )
  const offersOf = (values: string[]) => fc.uniqueArray(fc.constantFrom(...values), { minLength: 1 })
  const check = (
    name: string,
    field: fc.Arbitrary<string | undefined>,
    offers: fc.Arbitrary<string[]>,
    ours: (ctx: any, offers: string[]) => string | undefined,
    theirs: (negotiator: Negotiator, offers: string[]) => string | undefined,
  ) =>
    fc.assert(
      fc.property(field, offers, (text, list) => {
        const negotiator = new Negotiator({ headers: text === undefined ? {} : { [name]: text } } as never)
        expect(ours(contextOf(name, text), list)).toBe(theirs(negotiator, list))
      }),
      { numRuns: runs(20_000) },
    )

  const types = ['text/html', 'text/plain', 'application/json', 'image/png']
  const params = [';level=1', ';level=2', ';LEVEL=1', ';a=b', ';level=1;a=b', ';a=b;level=1', ';a="b"']
  const quoted = [';a=";level=2;"', ';a="b,text/plain;"', ';a="b,5";level=1']
  // Of the same type with parameters in several forms
  const forms = [...params, ';Level=1', ...quoted].map((one) => `text/html${one}`)
  test('media types', () =>
    check(
      'accept',
      fieldOf([...types, 'text/*', '*/*', 'image/*', 'Text/HTML'], ['', '', '', ...params, ...quoted]),
      offersOf([...types, 'application/JSON', ...forms]),
      accepts,
      (negotiator, list) => negotiator.mediaType(list),
    ))

  test('encodings', () =>
    check(
      'accept-encoding',
      fieldOf(['gzip', 'br', 'deflate', 'identity', '*', 'GZIP']),
      offersOf(['gzip', 'br', 'deflate', 'identity', 'zstd']),
      acceptsEncodings,
      (negotiator, list) => negotiator.encoding(list),
    ))

  test('languages', () =>
    check(
      'accept-language',
      fieldOf(['en', 'en-GB', 'en-US', 'de', 'de-AT', 'fr', '*', 'EN']),
      offersOf(['en', 'en-GB', 'en-US', 'de', 'de-AT', 'fr', 'pt-BR']),
      acceptsLanguages,
      (negotiator, list) => negotiator.language(list),
    ))
})
