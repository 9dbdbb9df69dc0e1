import type { CommandSpec } from '../../command.ts'
import { KIND_NAMES } from '../../names/kind-names.ts'
import { DRY_RUN, FORCE, JSON_OUTPUT } from '../options.ts'

const TABLES = ['model', 'migration', 'resource']
export const generateSpec: CommandSpec = {
  name: 'generate',
  alias: 'g',
  args: ['<kind>', '<Name>', '[field...]'],
  describe: `Write a ${KIND_NAMES.slice(0, -1).join(', ')} or resource`,
  options: [
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
  ],
  examples: [
    'g model User --soft-delete',
    'g controller admin/User --api',
    'g resource Product name:string price:number',
    "g resource Post title:string 'body:text?' 'status:enum(draft,live)' 'author:references(User)'",
    'g auth User username:string:unique --jwt',
  ],
  load: async () => (await import('./run.ts')).generate,
}
