import * as z from 'sluice/z'

export const User = z.object({ name: z.string(), email: z.string().email(), age: z.number() })
