import { z } from 'sluice'

export const User = z.object({ name: z.string(), email: z.string().email(), age: z.number() })
