import { number } from 'sluice/z/number'
import { object } from 'sluice/z/object'
import { string } from 'sluice/z/string'

export const User = object({ name: string(), email: string().email(), age: number() })
