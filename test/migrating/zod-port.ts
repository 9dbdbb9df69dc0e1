import { createApp, validateBody } from 'sluice'

type Z = typeof import('sluice/zod3')

/** The schemas of an application, as they are written for zod. Only the library differs: `z` is zod or sluice/z. */
export const schemasOf = (z: Z) => {
  const Address = z.object({ street: z.string().min(1), zip: z.string().regex(/^\d{5}$/, 'Five digits') })
  const Name = z.string().trim().min(2, 'Too short').max(20, { message: 'Too long' })
  const SignUp = z
    .object({
      name: Name,
      email: z.string().email('No address').toLowerCase(),
      age: z.number().int().nonnegative().optional(),
      password: z.string().min(8, 'Too weak'),
      again: z.string(),
      address: Address.partial({ zip: true }).nullish(),
      newsletter: z.boolean().default(false),
    })
    .strict()
    .refine(({ password, again }) => password === again, { message: 'Not the same', path: ['again'] })
  const Payment = z.discriminatedUnion('by', [
    z.object({ by: z.literal('card'), number: z.string().length(4) }),
    z.object({ by: z.literal('bill'), days: z.union([z.literal(14), z.literal(30)]) }),
  ])
  const Order = z.object({
    items: z.array(z.object({ id: z.string().uuid(), count: z.number().positive() })).min(1, 'Nothing ordered'),
    payment: Payment,
    notes: z.record(z.string(), z.string()).optional(),
    state: z.enum(['open', 'sent']).catch('open'),
    at: z
      .string()
      .datetime()
      .transform((text) => new Date(text).getUTCFullYear()),
    coupon: z.string().nullable(),
    range: z.tuple([z.number(), z.number()]).optional(),
  })
  const Range = z
    .object({ from: z.coerce.number(), to: z.coerce.number() })
    .superRefine(({ from, to }, ctx) => {
      if (from > to) ctx.addIssue({ code: 'custom', path: ['to'], message: 'Before the start' })
    })
    .transform(({ from, to }) => to - from)
  return {
    'sign-up': SignUp,
    order: Order,
    range: Range,
    patch: Address.extend({ city: z.string() }).omit({ street: true }).partial(),
    page: z.object({ page: z.preprocess((value) => value ?? 1, z.coerce.number().int().min(1)) }).passthrough(),
    either: z.string().or(z.number()).array().nonempty('Empty'),
    both: z.intersection(z.object({ a: z.string() }), z.object({ b: z.number() })),
  }
}

/** An application with a route for each schema. */
export const zodPort = (z: Z) => {
  const app = createApp()
  for (const [name, schema] of Object.entries(schemasOf(z)))
    app.post(`/${name}`, validateBody(schema as ReturnType<Z['any']>), (ctx) =>
      ctx.json(ctx.state.validated as unknown),
    )
  return app
}
