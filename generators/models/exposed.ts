import type { KindInput } from '../kinds/kind.ts'

/** Columns with credentials. Narrower than the inspector's names of secrets, among which is `author`. */
const SECRET =
  /(?:^|_)(?:pass(?:word|wd|phrase|code)?|pwd|pin|secret|token|credentials?|salt|(?:api|private|secret)_?key|hash|ssn|iban)(?:_|$)/

/** Columns that decide what a user may do. */
const POWER =
  /^(?:(?:is|has|can)_)?(?:super_)?(?:admin|superuser|staff|roles?|permissions?|scopes?|moderator|verified|approved|banned|balance|credits?)$/

/**
 * What to change if clients of a resource should not see some fields, such as a password, or should not set them, such
 * as a role; nothing if no name suggests it.
 */
export const exposedFields = ({ fields, name }: Pick<KindInput, 'fields' | 'name'>): readonly string[] => {
  const model = `src/app/models/${[...name.folders, name.pascal].join('/')}.ts`
  const secrets = fields.filter((field) => SECRET.test(field.column))
  const powers = fields.filter((field) => !secrets.includes(field) && POWER.test(field.column))
  const listed = (some: KindInput['fields']): string => some.map((field) => field.name).join(', ')
  return [
    ...(secrets.length === 0
      ? []
      : [`Clients can read, set and filter by ${listed(secrets)}. If they should not, hide it in ${model}: .hidden()`]),
    ...(powers.length === 0
      ? []
      : [`Clients can set ${listed(powers)}. If they should not, write in ${model}: .readonly()`]),
  ]
}
