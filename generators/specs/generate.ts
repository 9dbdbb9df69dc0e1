import type { CommandSpec, OptionSpec } from '../command.ts'
import { DRY_RUN, FORCE, JSON_OUTPUT } from './options.ts'

const FIELDS: OptionSpec = {
  name: 'fields',
  value: 'list',
  describe: 'Columns, as name:string,age:integer? (string, text, integer, number, boolean, date)',
}
const TABLE: OptionSpec = {
  name: 'table',
  value: 'name',
  describe: 'Table (default: plural of the name, in snake case)',
}

/** Commands that write files. */
export const GENERATE_COMMANDS: readonly CommandSpec[] = [
  {
    name: 'generate',
    alias: 'g',
    args: ['<kind>', '<Name>'],
    describe: 'Write a model, controller, middleware, migration, validator, service or resource',
    options: [
      TABLE,
      { name: 'soft-delete', describe: 'Model, migration: rows are marked as deleted and kept' },
      { name: 'no-timestamps', describe: 'Model, migration: no createdAt and updatedAt' },
      { name: 'resource', describe: 'Controller: index, show, store, update, destroy' },
      { name: 'api', describe: 'Controller: the same with validation and pages' },
      { name: 'id', value: 'type', describe: 'Validator: uuid or int (default: uuid)' },
      FIELDS,
      DRY_RUN,
      FORCE,
      JSON_OUTPUT,
    ],
    examples: [
      'generate model User --soft-delete',
      'g controller admin/User --api',
      'g resource Post --fields title:string,body:text?',
    ],
    load: async () => (await import('../commands/generate.ts')).generate,
  },
  {
    name: 'eject',
    args: ['<kind>'],
    describe: 'Copy the templates of a kind to templates/, to make them your own',
    options: [DRY_RUN, FORCE, JSON_OUTPUT],
    examples: ['eject controller'],
    load: async () => (await import('../commands/eject.ts')).eject,
  },
]
