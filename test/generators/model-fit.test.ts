import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { fieldsOfModel } from '../../generators/models/defined-model.ts'
import { flagsOfModel, keyOfModel, tableOfModel } from '../../generators/models/model-fields.ts'
import { filesIn, runCommand } from './run-command.ts'
import { temporaryFolder } from './sandbox.ts'

const MODEL = 'src/app/models/User.ts'

const REFUSAL = `sluice: ${MODEL} exists and is not what the command line describes, so nothing was written. Leave out fields`

/** A folder with the model of a command line, changed by hand. */
const withModel = async (line: string, change = (source: string): string => source): Promise<string> => {
  const root = temporaryFolder()
  expect((await runCommand(root, ['g', ...line.split(' ')])).code).toBe(0)
  writeFileSync(join(root, MODEL), change(filesIn(root)[MODEL] ?? ''))
  return root
}

const generate = (root: string, line: string) => runCommand(root, ['g', ...line.split(' ')])

/** A model in the form with `static columns`. */
const OLD = `import { Model } from 'sluice/database';

export class User extends Model {
  static override readonly tableName = "people";
  static readonly softDelete: boolean = true;
  static override timestamps = true;
  // static version = true
  static readonly columns = { name: "string", age: "number" } as const;

  declare readonly id: number; // the key
  declare name: string;
  declare age: number | null;
}
`

describe('issue 15: a resource that its existing model does not fit is refused, and nothing is written', () => {
  test.each([
    '--lock',
    '--soft-delete',
    '--no-timestamps',
    '--table people',
    'name:string age:integer',
    'name:string?',
    'name:string(80)',
    'age:integer',
  ])('g resource User %s', async (words) => {
    const root = await withModel('model User name:string', (source) =>
      source.replace('  declare readonly id', '  // Mine\n  declare readonly id'),
    )
    const before = filesIn(root)
    for (const more of ['', ' --dry-run']) {
      const { code, out, err } = await generate(root, `resource User ${words}${more}`)
      expect({ code, out }).toEqual({ code: 2, out: '' })
      expect(err).toContain(REFUSAL)
      expect(err).toContain('or replace it with --force')
    }
    expect(filesIn(root)).toEqual(before)
  })

  test.each([
    ['a key that is a UUID', (source: string) => source.replace('id: number', 'id: string')],
    ['no Model.define', () => OLD],
    ['another class', (source: string) => source.replace('class User', 'class Person')],
  ])('a model with %s', async (_, change) => {
    const root = await withModel('model User name:string', change)
    const before = filesIn(root)
    const { code, err } = await generate(root, 'resource User')
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(REFUSAL) })
    expect(err).toContain('a class User that extends Model.define(…) and has a number as id')
    expect(filesIn(root)).toEqual(before)
  })

  test('--force replaces the model as before', async () => {
    const root = await withModel('model User name:string')
    const { code, out } = await generate(root, 'resource User age:integer --lock --force')
    expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining(`overwrite ${MODEL}`) })
    expect(filesIn(root)[MODEL]).toContain('{ version: true }')
    expect(filesIn(root)[MODEL]).not.toContain('name')
  })
})

describe('a resource whose migration would lack columns of its model is refused', () => {
  const STATES = `const STATES = ['draft', 'live'] as const\n\n/** A user`
  const named = (source: string): string =>
    source
      .replace('/** A user', STATES)
      .replace('name: t.string(),', 'name: t.string(),\n  state: t.enum(STATES),\n  posts: t.hasMany(() => User),')

  test.each([
    ['a name', 'STATES'],
    ['a literal beside a name', "['new', ...STATES]"],
    ['a name beside a literal', "[FIRST, 'b']"],
  ])('it says which, if the values of an enum are %s', async (_, values) => {
    const root = await withModel('model User name:string', (source) => named(source).replace('STATES)', `${values})`))
    const before = filesIn(root)
    const { code, err } = await generate(root, 'resource User')
    expect({ code, err }).toEqual({
      code: 2,
      err: expect.stringContaining(`${MODEL}: state cannot be read from the source`),
    })
    expect(filesIn(root)).toEqual(before)
  })

  test('with a migration of the table it is written', async () => {
    const root = await withModel('model User name:string', named)
    expect((await generate(root, 'migration CreateUsersTable name:string state:string')).code).toBe(0)
    expect((await generate(root, 'resource User')).code).toBe(0)
  })
})

describe('issue 15: a model that a person wrote fits a resource', () => {
  const HAND_WRITTEN = `import { Model, t } from 'sluice/database';

export class User extends Model.define("people", {
  // shown: t.text(),
  "name": t.string(), // shown to everyone
  age: t
    .number()
    .nullable(),
}, { softDelete: true }) {
  get label() {
    return this.name;
  }
}
`

  test.each([
    ['static columns', OLD, []],
    ['Model.define', HAND_WRITTEN, ['name', 'age?']],
  ])('its fields, switches, table and key are read: %s', (_, source, fields) => {
    expect(fieldsOfModel(source).map(({ name, optional }) => `${name}${optional ? '?' : ''}`)).toEqual(fields)
    expect(flagsOfModel(source)).toEqual(['soft-delete'])
    expect(tableOfModel(source)).toBe('people')
    expect(keyOfModel(source)).toBe('number')
  })

  test.each(['', ' --soft-delete', ' --table people', ' age:number? name:string'])(
    'g resource User%s keeps it and writes the rest',
    async (words) => {
      const root = temporaryFolder()
      mkdirSync(dirname(join(root, MODEL)), { recursive: true })
      writeFileSync(join(root, MODEL), HAND_WRITTEN)
      const { code, out } = await generate(root, `resource User${words}`)
      expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining(`identical ${MODEL}`) })
      expect(filesIn(root)[MODEL]).toBe(HAND_WRITTEN)
      expect(Object.keys(filesIn(root))).toHaveLength(5)
      expect((await generate(root, `resource User${words}`)).out).not.toMatch(/^(?:create|update|skip)/m)
    },
  )
})
