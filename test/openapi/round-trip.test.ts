import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createApp } from '../../src/app.ts'
import { bearerAuth } from '../../src/middleware/bearer-auth.ts'
import { rateLimiter } from '../../src/middleware/rate-limiter.ts'
import { validateBody, validateHeaders, validateParams, validateQuery } from '../../src/middleware/validator.ts'
import { describe as describeRoute, named, openapi } from '../../src/openapi.ts'
import { json } from '../../src/respond/json.ts'
import * as z from '../../src/z.ts'
import { runs } from '../fuzz.ts'
import { breaksOf, type Json, valuesOf } from './from-json-schema.ts'
import { expectValid } from './validity.ts'

const info = { title: 'Random', version: '1' }

/** Schemas of fields that a text can fill. */
const textField = fc.oneof(
  fc.tuple(fc.nat(3), fc.nat(5)).map(([min, more]) =>
    z
      .string()
      .min(min)
      .max(min + more + 1),
  ),
  fc.constant(z.string().email()),
  fc.constant(z.string().uuid()),
  fc.constant(z.string().regex(/^[a-c]{2,4}$/)),
  fc.constant(z.enum(['red', 'green'])),
  fc.constant(z.literal('one')),
  fc.tuple(fc.integer({ min: -9, max: 9 }), fc.nat(50)).map(([min, more]) =>
    z.coerce
      .number()
      .int()
      .min(min)
      .max(min + more),
  ),
  fc.constant(z.stringbool()),
  fc.constant(z.union([z.enum(['a', 'b']), z.literal('c')])),
)

/** Schemas of fields that JSON can fill. */
const { jsonField } = fc.letrec<{ jsonField: any }>((tie) => ({
  jsonField: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    textField.filter((schema: any) => !schema.def.coerce),
    fc.constant(z.number()),
    fc.tuple(fc.nat(9), fc.nat(9)).map(([min, more]) =>
      z
        .number()
        .int()
        .min(min)
        .max(min + more),
    ),
    fc.constant(z.boolean()),
    fc.constant(z.null()),
    tie('jsonField').map((inner) => z.array(inner as any).max(3)),
    tie('jsonField').map((inner) => z.object({ inner: inner as any })),
    tie('jsonField').map((inner) => (inner as any).nullable()),
    fc.constant(named('Point', z.object({ x: z.number(), y: z.number() }))),
  ),
}))

const maybe = (field: fc.Arbitrary<any>): fc.Arbitrary<any> =>
  fc.tuple(field, fc.boolean()).map(([schema, optional]) => (optional ? schema.optional() : schema))
const shape = (field: fc.Arbitrary<any>, prefix: string): fc.Arbitrary<any> =>
  fc
    .array(maybe(field), { minLength: 1, maxLength: 4 })
    .map((fields) => z.object(Object.fromEntries(fields.map((one, index) => [`${prefix}${index}`, one]))))

/** Only a form has files: text fields beside them. */
const fileField = fc.oneof(fc.constantFrom<any>(z.file().max(10_000), z.instanceof(File), z.file()), textField)

/** A route: what it validates. */
const routeOf = fc.record({
  method: fc.constantFrom('get', 'post', 'put', 'patch', 'delete'),
  params: fc.array(textField, { maxLength: 2 }),
  query: fc.option(shape(textField, 'q')),
  headers: fc.option(shape(textField, 'x-h')),
  body: fc.option(fc.oneof(shape(jsonField, 'j'), shape(textField, 'f'), shape(fileField, 'u'))),
  guarded: fc.boolean(),
  limited: fc.boolean(),
})

const build = (routes: readonly any[]): any => {
  const app: any = createApp()
  routes.forEach(({ method, params, query, headers, body, guarded, limited }, index) => {
    const path = `/r${index}${params.map((_: unknown, at: number) => `/:p${at}`).join('')}`
    const fields = Object.fromEntries(params.map((field: any, at: number) => [`p${at}`, field]))
    app[method](
      path,
      ...(guarded ? [bearerAuth({ verify: (token) => token === 'good' })] : []),
      ...(limited ? [rateLimiter({ max: 1e9, windowMs: 1000, keyGenerator: () => 'x' })] : []),
      ...(params.length ? [validateParams(z.object(fields))] : []),
      ...(query ? [validateQuery(query)] : []),
      ...(headers ? [validateHeaders(headers)] : []),
      ...(body ? [validateBody(body)] : []),
      describeRoute({ responses: { 200: z.object({ ok: z.boolean() }) } }),
      () => json({ ok: true }),
    )
  })
  return app
}

/** What is sent for an operation: a value for each parameter, and a body of one of its types. */
interface Sent {
  readonly parameters: Record<string, unknown>
  readonly body?: unknown
}

const request = (path: string, method: string, operation: Json, { parameters, body }: Sent, type: string): Request => {
  const query = new URLSearchParams()
  const headers = new Headers({ authorization: 'Bearer good' })
  let target = path
  for (const parameter of operation.parameters ?? []) {
    const value = parameters[`${parameter.in} ${parameter.name}`]
    if (value === undefined) continue
    if (parameter.in === 'path') target = target.replace(`{${parameter.name}}`, encodeURIComponent(String(value)))
    else if (parameter.in === 'query') query.append(parameter.name, String(value))
    else headers.set(parameter.name, String(value))
  }
  let payload: string | FormData | URLSearchParams | null = null
  if (operation.requestBody) {
    const pairs = Object.entries((body ?? {}) as object).map(([name, value]) => [name, String(value)])
    if (type === 'application/json') {
      payload = JSON.stringify(body)
      headers.set('content-type', type)
    } else if (type === 'multipart/form-data') {
      payload = new FormData()
      const { properties } = operation.requestBody.content[type].schema
      for (const [name, value] of pairs) {
        // A number or `true` in the place of a file goes as a text, which is wrong there
        const isFile = properties[name!]?.format === 'binary' && typeof (body as Json)[name!] === 'string'
        payload.append(name!, isFile ? new File([value!], 'a.bin') : value!)
      }
    } else payload = new URLSearchParams(pairs)
  }
  return new Request(`http://localhost${target}?${query}`, { method: method.toUpperCase(), headers, body: payload })
}

/** Values for an operation that its document allows. */
const fitting = (operation: Json, defs: Record<string, Json>, type: string): fc.Arbitrary<Sent> => {
  const parameters = Object.fromEntries(
    (operation.parameters ?? []).map((one: Json) => [
      `${one.in} ${one.name}`,
      one.required ? valuesOf(one.schema, defs) : fc.option(valuesOf(one.schema, defs), { nil: undefined }),
    ]),
  )
  const { schema } = operation.requestBody?.content[type] ?? {}
  return fc.record({
    parameters: fc.record(parameters),
    // A form cannot say null
    ...(schema && {
      body: valuesOf(schema, defs).filter(
        (body) => type === 'application/json' || !JSON.stringify(body)?.includes('null'),
      ),
    }),
  }) as fc.Arbitrary<Sent>
}

/** The same with one thing wrong, in every way that the document knows. */
const broken = (operation: Json, defs: Record<string, Json>, type: string, fine: Sent): [string, Sent][] => {
  const wrong: [string, Sent][] = []
  for (const { in: place, name, schema, required } of operation.parameters ?? []) {
    const key = `${place} ${name}`
    for (const value of breaksOf(schema, defs, true))
      wrong.push([`${key} is ${value}`, { ...fine, parameters: { ...fine.parameters, [key]: value } }])
    if (required && place !== 'path')
      wrong.push([`${key} is missing`, { ...fine, parameters: { ...fine.parameters, [key]: undefined } }])
  }
  const { schema } = operation.requestBody?.content[type] ?? {}
  for (const [name, field] of Object.entries(schema?.properties ?? {})) {
    const texts = type !== 'application/json'
    for (const value of breaksOf(field, defs, texts))
      wrong.push([
        `body.${name} is ${JSON.stringify(value)}`,
        { ...fine, body: { ...(fine.body as object), [name]: value } },
      ])
    if (schema.required?.includes(name)) {
      const { [name]: _, ...rest } = fine.body as Record<string, unknown>
      wrong.push([`body.${name} is missing`, { ...fine, body: rest }])
    }
  }
  return wrong
}

/** Send to every operation of a document, in every content type, what it allows and what it does not. */
const roundTrip = async (app: any, document: Json, seed: number): Promise<{ sent: number; refused: number }> => {
  const count = { sent: 0, refused: 0 }
  const defs = document.components.schemas
  for (const [path, methods] of Object.entries<Json>(document.paths))
    for (const [method, operation] of Object.entries<Json>(methods))
      for (const type of Object.keys(operation.requestBody?.content ?? { none: {} })) {
        const [fine] = fc.sample(fitting(operation, defs, type), { numRuns: 1, seed }) as [Sent]
        const where = `${method} ${path} ${type}`
        const answer: Response = await app.fetch(request(path, method, operation, fine, type))
        expect({ where, fine, status: answer.status, text: await answer.text() }).toEqual({
          where,
          fine,
          status: 200,
          text: '{"ok":true}',
        })
        count.sent += 1
        for (const [what, wrong] of broken(operation, defs, type, fine)) {
          const refusal: Response = await app.fetch(request(path, method, operation, wrong, type))
          expect({ where, what, status: refusal.status }).toEqual({ where, what, status: 422 })
          expect(Object.keys(operation.responses)).toContain('422')
          expect(await refusal.json()).toMatchObject({
            error: 'Validation failed',
            issues: [{ code: expect.any(String) }],
          })
          count.refused += 1
        }
      }
  return count
}

describe('OA6: random applications', () => {
  test('a published validator accepts their documents, and what these say is what the routes do', {
    timeout: 300_000,
  }, async () => {
    const total = { sent: 0, refused: 0 }
    await fc.assert(
      fc.asyncProperty(fc.array(routeOf, { minLength: 1, maxLength: 4 }), fc.integer(), async (routes, seed) => {
        const app = build(routes)
        const document = openapi(app, { info })
        await expectValid(document)
        const { sent, refused } = await roundTrip(app, document, seed)
        total.sent += sent
        total.refused += refused
      }),
      { numRuns: runs(200, 20) },
    )
    expect(total.sent).toBeGreaterThan(runs(400, 20))
    expect(total.refused).toBeGreaterThan(runs(1000, 20))
  })

  test('an operation refuses a caller without a token with an answer that its document has', async () => {
    const app = build([{ method: 'get', params: [], guarded: true }])
    const response = await app.request('/r0')
    const operation: Json = openapi(app, { info }).paths['/r0']!.get
    expect(response.status).toBe(401)
    expect(operation.responses[401].content['application/json'].schema).toEqual({
      $ref: '#/components/schemas/Refusal',
    })
    expect(await response.json()).toMatchObject({ error: expect.any(String) })
  })

  test('a body that is not JSON, or of another type, gets an answer that the document has', async () => {
    const app = build([{ method: 'post', params: [], body: z.object({ a: z.string() }) }])
    const { responses, requestBody } = openapi(app, { info }).paths['/r0']!.post!
    expect(requestBody!.required).toBe(true)
    const { status } = await app.request('/r0', { method: 'POST' })
    expect({ status, documented: Object.keys(responses) }).toEqual({
      status: 415,
      documented: expect.arrayContaining(['415']),
    })
    for (const [type, body] of [
      ['application/json', '{'],
      ['text/plain', 'x'],
      ['application/json', `"${'x'.repeat(1_048_600)}"`],
    ]) {
      const response = await app.request('/r0', { method: 'POST', body, headers: { 'content-type': type } })
      expect(Object.keys(responses)).toContain(`${response.status}`)
      expect([400, 413, 415]).toContain(response.status)
    }
  })
})
