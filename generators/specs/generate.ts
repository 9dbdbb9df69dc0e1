import type { CommandSpec, OptionSpec } from '../command.ts'
import { didYouMean } from '../suggest.ts'
import { DRY_RUN, FORCE, JSON_OUTPUT } from './options.ts'

const FIELDS: OptionSpec = {
  name: 'fields',
  value: 'list',
  describe: 'The same as the words after the name: name:string,age:integer?',
}
const TABLE: OptionSpec = {
  name: 'table',
  value: 'name',
  describe: 'Table (default: plural of the name, in snake case)',
}

/** What `generate` takes, in the order of the help. Their code is loaded when it runs. */
export const KIND_NAMES: readonly string[] = [
  ...['model', 'controller', 'middleware', 'migration', 'validator', 'service', 'factory', 'seed', 'test', 'provider'],
  ...['auth', 'resource'],
]

/** The message for a word that is not a kind. */
export const unknownKind = (kind: string): string =>
  `There is no kind "${kind}".${didYouMean(kind, KIND_NAMES)}\nKinds: ${KIND_NAMES.join(', ')}`

const USAGE = 'sluice generate <kind> <Name> [field...]'

/** Commands that write files. */
export const GENERATE_COMMANDS: readonly CommandSpec[] = [
  {
    name: 'generate',
    alias: 'g',
    args: ['<kind>', '<Name>', '[field...]'],
    describe: `Write a ${KIND_NAMES.slice(0, -1).join(', ')} or resource`,
    explain: ([kind]) => {
      if (kind === undefined) return `<kind> is missing: ${USAGE}\nKinds: ${KIND_NAMES.join(', ')}`
      return KIND_NAMES.includes(kind) ? undefined : unknownKind(kind)
    },
    options: [
      TABLE,
      { name: 'soft-delete', describe: 'Model, migration: mark rows as deleted instead of deleting them' },
      { name: 'no-timestamps', describe: 'Model, migration: no createdAt and updatedAt' },
      { name: 'lock', describe: 'Model, migration: a version keeps two people from overwriting each other' },
      { name: 'resource', describe: 'Controller: index, show, store, update, destroy' },
      { name: 'api', describe: 'Controller: the same with validation and pages' },
      { name: 'replace', describe: 'Resource: PUT replaces the whole record, PATCH changes parts of it' },
      { name: 'id', value: 'type', describe: 'Validator: uuid or int (default: that of the model, else uuid)' },
      FIELDS,
      DRY_RUN,
      FORCE,
      JSON_OUTPUT,
    ],
    examples: [
      'generate model User --soft-delete',
      'g controller admin/User --api',
      'g resource Product name:string price:number',
      "g resource Post title:string 'body:text?' 'status:enum(draft,live)' 'author:references(User)'",
      'g auth User',
    ],
    load: async () => (await import('../commands/generate.ts')).generate,
  },
  {
    name: 'eject',
    args: ['<kind>'],
    describe: 'Copy the templates of a kind to templates/, to customise them',
    options: [DRY_RUN, FORCE, JSON_OUTPUT],
    examples: ['eject controller'],
    load: async () => (await import('../commands/eject.ts')).eject,
  },
]
