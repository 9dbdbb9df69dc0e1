import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { exposedFields } from './exposed.ts'
import { parseFields } from './fields.ts'
import { controller } from './kinds/controller.ts'
import {
  type CommonVariables,
  commonVariables,
  type Kind,
  type KindInput,
  listVariables,
  replaceSchema,
  testDatabase,
} from './kinds/kind.ts'
import { migration } from './kinds/migration.ts'
import { model } from './kinds/model.ts'
import { validator } from './kinds/validator.ts'
import { assertFits, fits } from './model-fit.ts'
import { modelPath, type Name, parseName, splitWords, toPascal } from './names.ts'
import { migrationOfTable } from './next-step.ts'
import { relatedModel } from './relations.ts'
import { renderTemplate, routeCall } from './render.ts'
import { testVariables } from './resource-test.ts'
import { type Wiring, wireRoutes } from './routes-file.ts'
import type { PlannedFile } from './write.ts'

/** Name and options of `g resource`. */
export const RESOURCE: Pick<Kind, 'describe' | 'options' | 'templates'> & { readonly name: 'resource' } = {
  name: 'resource',
  describe: 'model, migration, validator, controller, routes and test together',
  options: ['table', 'soft-delete', 'no-timestamps', 'lock', 'replace', 'fields'],
  templates: ['routes', 'resource.test', 'test-database'],
}

/** The files of a whole resource. Without fields, it has those of its model; a new model has the field `name`. */
export const planResource = (given: KindInput): Wiring => {
  const { exists, file } = relatedModel(given.root, modelPath(given.name))
  const fields = exists || given.fields.length > 0 ? given.fields : parseFields('name:string')
  const flags = new Set([...given.flags, 'api', 'validator', 'routed', 'list'])
  const input: KindInput = { ...given, fields, flags, id: 'int' }
  const step = parseName(`Create${toPascal(splitWords(input.table).map((word) => word.toLowerCase()))}Table`)
  const { inside } = commonVariables(input)
  const routes = `src/app/routes/${inside}${input.name.kebab}.ts`
  const wiring = wireRoutes(input.root, routes, `${input.name.camel}Routes`, input.name.folders)
  const files = [
    ...tableFiles(input, `src/app/models/${file}`, step),
    ...validator.plan(input),
    ...controller.plan(input),
    { path: routes, contents: renderTemplate(input.root, 'routes', routeVariables(input)) },
    ...testDatabase(input),
    {
      path: `test/${inside}${input.name.kebab}.test.ts`,
      contents: renderTemplate(input.root, 'resource.test', testVariables(input)),
    },
    ...wiring.files,
  ]
  const empty = `No field was found in src/app/models/${file}, so clients cannot set any`
  const advice = [
    ...(model.advise?.(input) ?? []),
    ...(fields.length === 0 ? [empty] : []),
    ...exposedFields(input),
    ...wiring.advice,
  ]
  return { files, advice }
}

/** The model and its migration. If the command line asks for nothing that the model lacks, both stay as they are. */
const tableFiles = (input: KindInput, path: string, step: Name): readonly PlannedFile[] => {
  const [planned] = model.plan(input)
  const file = join(input.root, path)
  const source = existsSync(file) ? readFileSync(file, 'utf8') : undefined
  const steps = migration.plan({ ...input, name: step })
  if (planned === undefined || source === undefined || isReplaced(input, source))
    return [...model.plan(input), ...steps]
  // The template of a project may write what cannot be read back
  if (planned.contents !== source) assertFits(input, path, source)
  const made = migrationOfTable(input.root, input.table)
  return [{ ...planned, contents: source }, ...(made ? [made] : steps)]
}

/** With `--force`, fields and other changes of the model replace it. */
const isReplaced = (input: KindInput, source: string): boolean =>
  input.flags.has('force') && (input.typed.length + input.many.length > 0 || !fits(input, source))

const routeVariables = (input: KindInput) => {
  const common = commonVariables(input)
  return {
    ...common,
    ...listVariables(input),
    replace: input.flags.has('replace'),
    lock: input.flags.has('lock'),
    replaceSchema: replaceSchema(input),
    conflict: conflictOf(input),
    about: aboutRoutes(input, common),
    route: (method: string, path: string, ...steps: string[]): string =>
      routeCall(method, path, ...steps.slice(0, -1), `${common.name}Controller.${steps.at(-1)}`),
  }
}

/** Why a valid record may be refused, in one sentence; empty if it never is. */
const conflictOf = ({ fields, flags }: KindInput): string => {
  const reasons = [
    hasUnique(fields) && 'another record has a value that must be unique',
    flags.has('lock') && 'the record was changed meanwhile',
  ].filter(Boolean)
  return reasons.join(', or ').replace(/^./, (letter) => letter.toUpperCase())
}

const hasUnique = (fields: KindInput['fields']): boolean => fields.some(({ unique }) => unique)

/** Action, summary and responses of each route. */
const aboutRoutes = (input: KindInput, { label, article }: CommonVariables): readonly (readonly string[])[] => {
  const refused = (conflicts: boolean): string => `${conflicts ? ', 409: conflict' : ''}, 422: refused`
  // A new record has no version that another client could have changed
  const atFirst = refused(hasUnique(input.fields))
  const refusals = refused(conflictOf(input) !== '')
  return [
    ['index', `A page of ${label}`, '200: many'],
    ['store', `Create ${article}`, `201: one${atFirst}`],
    ['show', `One ${article.replace(/^an? /, '')}`, '200: one, 404: missing'],
    ['update', `Update ${article}`, `200: one, 404: missing${refusals}`],
    ...(input.flags.has('replace') ? [['replace', `Replace ${article}`, `200: one, 404: missing${refusals}`]] : []),
    ['destroy', `Delete ${article}`, '204: {}, 404: missing, 422: refused'],
  ]
}
