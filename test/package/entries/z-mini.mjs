import { email, number, object, string } from 'sluice/z/mini'

export const User = object({ name: string(), email: string(email()), age: number() })
