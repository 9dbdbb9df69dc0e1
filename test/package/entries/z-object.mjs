import { number, object, string } from 'sluice/z'

export const User = object({ name: string(), email: string().email(), age: number() })
