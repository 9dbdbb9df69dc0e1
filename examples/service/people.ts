import { scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

/** By name: salt and key of the password, and the scopes. `sluice g auth` keeps them in a database. */
const people: Readonly<Record<string, { salt: string; key: string; scope: string }>> = {
  // beans and milk
  ann: { salt: 'MDYJ4_usZq5gvKR7N9C5zQ', key: 'rCLT8jdyCiILZWJ1WvZIYT_K-ERYDcTULzJXkLDnXSk', scope: 'products:write' },
  // only looking
  bob: { salt: 'hVVJMpYzjcYF-Lygzo9OVg', key: 'Qv53ZgVV-b5rEw-VOIdBLgSiRueo9jpsas64KnKeZ1s', scope: '' },
}
const nobody = { salt: '', key: 'A'.repeat(43), scope: '' }
const derive = promisify<string, Buffer, number, object, Buffer>(scrypt)

/** The person with this name and password. An unknown name takes as long as a wrong password. */
export const whoIs = async (name: string, password: string): Promise<{ scope: string } | undefined> => {
  const { salt, key, scope } = Object.hasOwn(people, name) ? people[name]! : nobody
  const derived = await derive(password, Buffer.from(salt, 'base64url'), 32, { N: 2 ** 15, p: 3, maxmem: 2 ** 27 })
  return timingSafeEqual(derived, Buffer.from(key, 'base64url')) ? { scope } : undefined
}
