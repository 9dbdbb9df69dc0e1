import { verifyPassword } from 'sluice/password'

/** By name: the hash of the password, and the scopes. `sluice g auth` keeps them in a database. */
const people: Readonly<Record<string, { hash: string; scope: string }>> = {
  // beans and milk
  ann: {
    hash: '$scrypt$ln=15,r=8,p=3$MDYJ4/usZq5gvKR7N9C5zQ$rCLT8jdyCiILZWJ1WvZIYT/K+ERYDcTULzJXkLDnXSk',
    scope: 'products:write',
  },
  // only looking
  bob: { hash: '$scrypt$ln=15,r=8,p=3$hVVJMpYzjcYF+Lygzo9OVg$Qv53ZgVV+b5rEw+VOIdBLgSiRueo9jpsas64KnKeZ1s', scope: '' },
}

/** The person with this name and password. An unknown name takes as long as a wrong password. */
export const whoIs = async (name: string, password: string): Promise<{ scope: string } | undefined> => {
  const person = Object.hasOwn(people, name) ? people[name] : undefined
  return (await verifyPassword(password, person?.hash)) ? person : undefined
}
