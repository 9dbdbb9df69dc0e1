import { describe, expect, test } from 'vitest'
import { toJsonSchema } from '../../src/z/to-json-schema.ts'
import * as z from '../../src/z.ts'

const Folder = z.object({
  name: z.string(),
  get folders(): z.AnySchema {
    return z.array(Folder)
  },
})

const nested = (levels: number): unknown => {
  let value: unknown = { name: 'a', folders: [] }
  for (let level = 0; level < levels; level++) value = { name: 'a', folders: [value] }
  return value
}

const circle: { name: string; folders: unknown[] } = { name: 'a', folders: [] }
circle.folders.push(circle)

/** What can be made from a schema that holds itself by a getter, in a second statement. */
const DERIVED: { readonly [name: string]: z.AnySchema } = {
  itself: Folder,
  partial: Folder.partial(),
  required: Folder.required(),
  pick: Folder.pick({ folders: true }),
  omit: Folder.omit({ name: true }),
  extend: Folder.extend({ size: z.number().optional() }),
  merge: z.object({ size: z.number().optional() }).merge(Folder),
  strict: Folder.strict(),
  passthrough: Folder.passthrough(),
  catchall: Folder.catchall(z.any()),
  deepPartial: Folder.deepPartial(),
  'deepPartial of a tuple': z.object({ folders: z.tuple([Folder]) }).deepPartial(),
  wrapped: Folder.optional().nullable().default({ name: 'a', folders: [] }).readonly().brand('Folder'),
  changed: Folder.refine(() => true).transform((folder) => folder),
  piped: Folder.pipe(Folder as z.AnySchema),
  both: Folder.and(Folder),
}

describe('F14: a schema that holds itself by a getter', () => {
  test.each(Object.entries(DERIVED))(
    '%s: 50 levels are fine; 20,000 levels and a circle are an issue',
    async (_, schema) => {
      expect(schema.safeParse(nested(50)).error).toBeUndefined()
      expect(schema.safeParse(nested(20_000)).error?.issues.length).toBeGreaterThan(0)
      expect(schema.safeParse(circle).error?.issues.length).toBeGreaterThan(0)
      expect((await schema.safeParseAsync(nested(50))).success).toBe(true)
      expect((await schema.safeParseAsync(nested(20_000))).success).toBe(false)
      expect((await schema.safeParseAsync(circle)).success).toBe(false)
    },
  )

  test('deepPartial: no key is required at any level, and a value of another type is still an issue', () => {
    const Loose = Folder.deepPartial()
    expect(Loose.parse({ folders: [{}, { folders: [{ name: 'b' }] }] })).toEqual({
      folders: [{}, { folders: [{ name: 'b' }] }],
    })
    expect(Loose.safeParse({ folders: [{ folders: [{ name: 1 }] }] }).error!.issues[0]!.path).toEqual([
      'folders',
      0,
      'folders',
      0,
      'name',
    ])
    expect(toJsonSchema(Loose)).toMatchObject({ $defs: {} })
    expect(JSON.stringify(toJsonSchema(Loose))).not.toContain('"required"')
  })

  test('deepPartial leaves the schema that it was called on as it was', () => {
    Folder.deepPartial()
    expect(Folder.safeParse({ folders: [] }).success).toBe(false)
    expect(Object.keys(Folder.deepPartial().shape)).toEqual(['name', 'folders'])
  })
})
