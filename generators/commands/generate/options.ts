import type { OptionSpec } from '../../command.ts'
import { DRY_RUN, FORCE, JSON_OUTPUT } from '../options.ts'

const TABLES = ['model', 'migration', 'resource']

/** The options of `sluice generate`, with the kinds that take them. */
export const OPTIONS: readonly OptionSpec[] = [
  { name: 'table', kinds: TABLES, value: 'name', describe: 'Table (default: plural of the name, in snake case)' },
  { name: 'soft-delete', kinds: TABLES, describe: 'Mark rows as deleted instead of deleting them' },
  { name: 'no-timestamps', kinds: TABLES, describe: 'No createdAt and updatedAt' },
  { name: 'lock', kinds: TABLES, describe: 'A version keeps two people from overwriting each other' },
  { name: 'resource', kinds: ['controller'], describe: 'Index, show, store, update, destroy' },
  { name: 'api', kinds: ['controller'], describe: 'The same with validation and pages' },
  { name: 'key', kinds: ['resource'], value: 'field', describe: 'Unique field that paths name a record by' },
  { name: 'under', kinds: ['resource'], value: 'Model', describe: 'Paths are below those of this model' },
  { name: 'owner', kinds: ['resource'], value: 'Model', describe: 'Each of these users has records of their own' },
  {
    name: 'id',
    kinds: ['validator'],
    value: 'type',
    describe: 'Type of the id: uuid or int (default: that of the model, else uuid)',
  },
  { name: 'jwt', kinds: ['auth'], describe: 'Bearer tokens instead of sessions' },
  DRY_RUN,
  FORCE,
  JSON_OUTPUT,
]
