import type { KindInput } from '../kinds/kind.ts'
import { modelPath } from '../names/names.ts'

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
  const names = fields.filter(({ column }) => SECRET.test(column) || POWER.test(column)).map((field) => field.name)
  const remedy = `write .hidden() or .readonly() behind them in src/app/models/${modelPath(name)}.ts`
  return names.length === 0 ? [] : [`Clients can see and set ${names.join(', ')}. If they should not, ${remedy}`]
}
