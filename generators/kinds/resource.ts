import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { usageError } from '../errors.ts'
import { parseFields } from '../fields/fields.ts'
import { relatedModel } from '../fields/relations.ts'
import { assertRelations, keyOf, ownerOf, parentOf, relatedFiles, withRelations } from '../fields/resource-relations.ts'
import { assertNumbered } from '../fields/unique-keys.ts'
import { unreadFields } from '../models/defined-model.ts'
import { assertFits, fits } from '../models/model-fit.ts'
import { modelPath } from '../names/names.ts'
import { migrationOfTable } from '../project/next-step.ts'
import { wireRoutes } from '../project/routes-file.ts'
import type { PlannedFile } from '../project/write.ts'
import { renderTemplate } from '../render.ts'
import { commonVariables, conflictsOf, filtersOf, type Kind, type KindInput, testDatabase } from './kind.ts'
import { tableMigration } from './migration.ts'
import { model } from './model.ts'
import { testVariables } from './resource-test.ts'

/** Routes over a model, with their test. Without fields, they have those of the model, or `name` if it is new. */
export const resource: Kind = {
  name: 'resource',
  suffix: '',
  templates: ['routes', 'resource.test', 'test-database'],
  plan: (kindInput) => {
    const { exists, file, fields: modelFields } = relatedModel(kindInput.root, modelPath(kindInput.name))
    if (exists) assertRelations(kindInput, modelFields)
    const columns = exists || kindInput.fields.length > 0 ? kindInput.fields : parseFields('name:string')
    const [fields, typed] = [columns, kindInput.typed].map((list) =>
      list.length > 0 ? withRelations(kindInput, list) : list,
    )
    const input: KindInput = { ...kindInput, fields: fields ?? [], typed: typed ?? [], id: 'int' }
    assertNumbered(input.unique, input.fields)
    const variables = routeVariables(input)
    const { inside } = variables
    const routes = `src/app/routes/${inside}${input.name.kebab}.ts`
    const wiring = wireRoutes(input.root, routes, `${input.name.camel}Routes`, input.name.folders)
    const files = [
      ...tableFiles(input, `src/app/models/${file}`),
      { path: routes, contents: renderTemplate(input.root, 'routes', variables) },
      ...testDatabase(input),
      {
        path: `test/${inside}${input.name.kebab}.test.ts`,
        contents: renderTemplate(input.root, 'resource.test', { ...variables, ...testVariables(input) }),
      },
      ...relatedFiles(input),
      ...wiring.files,
    ]
    return { files, advice: [...exposedFields(input), ...wiring.advice] }
  },
}

/** The model and its migration. If the command line asks for nothing that the model lacks, both stay as they are. */
const tableFiles = (input: KindInput, path: string): readonly PlannedFile[] => {
  const planned = model.plan(input).files
  const file = join(input.root, path)
  const source = existsSync(file) ? readFileSync(file, 'utf8') : undefined
  if (source === undefined || isReplaced(input, source)) return [...planned, tableMigration(input)]
  // The template of a project may write what cannot be read back
  if (planned[0]?.contents !== source) assertFits(input, path, source)
  const migration = migrationOfTable(input.root, input.table)
  const unread = unreadFields(source)
  if (migration === undefined && unread.length > 0)
    throw usageError(
      `${path}: ${unread.join(', ')} cannot be read from the source, so the migration would lack these columns: let ` +
        'sluice db:diff --write write it first, and add them to the sample of the test',
    )
  return [{ path, contents: source }, migration ?? tableMigration(input)]
}

/** With `--force`, fields and other changes of the model replace it. */
const isReplaced = (input: KindInput, source: string): boolean =>
  input.flags.has('force') && (input.typed.length > 0 || !fits(input, source))

const routeVariables = (input: KindInput) => {
  const common = commonVariables(input)
  const parent = parentOf(input)
  return {
    ...common,
    path: parent ? `${parent.path}/:${parent.id}/${common.path.split('/').at(-1)}` : common.path,
    key: keyOf(input),
    parent,
    owner: ownerOf(input),
    filters: filtersOf(input.fields),
    ...conflictsOf(input),
  }
}

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
const exposedFields = ({ fields, name }: Pick<KindInput, 'fields' | 'name'>): readonly string[] => {
  const names = fields.filter(({ column }) => SECRET.test(column) || POWER.test(column)).map((field) => field.name)
  const remedy = `write .hidden() or .readonly() behind them in src/app/models/${modelPath(name)}.ts`
  return names.length === 0 ? [] : [`Clients can see and set ${names.join(', ')}. If they should not, ${remedy}`]
}
