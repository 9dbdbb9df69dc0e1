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
import { parseName, splitWords, toPascal } from './names.ts'
import { renderTemplate, routeCall } from './render.ts'
import { testVariables } from './resource-test.ts'
import { type Wiring, wireRoutes } from './routes-file.ts'

/** Name and options of `g resource`. */
export const RESOURCE: Pick<Kind, 'describe' | 'options' | 'templates'> & { readonly name: 'resource' } = {
  name: 'resource',
  describe: 'model, migration, validator, controller, routes and test together',
  options: ['table', 'soft-delete', 'no-timestamps', 'lock', 'replace', 'fields'],
  templates: ['routes', 'resource.test', 'test-database'],
}

/** The files of a whole resource. Without fields, it has the field `name`. */
export const planResource = (given: KindInput): Wiring => {
  const fields = given.fields.length > 0 ? given.fields : parseFields('name:string')
  const flags = new Set([...given.flags, 'api', 'validator', 'routed', 'list'])
  const input: KindInput = { ...given, fields, flags, id: 'int' }
  const step = parseName(`Create${toPascal(splitWords(input.table).map((word) => word.toLowerCase()))}Table`)
  const { inside } = commonVariables(input)
  const routes = `src/app/routes/${inside}${input.name.kebab}.ts`
  const wiring = wireRoutes(input.root, routes, `${input.name.camel}Routes`, input.name.folders)
  const files = [
    ...model.plan(input),
    ...migration.plan({ ...input, name: step, table: input.table }),
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
  return { files, advice: wiring.advice }
}

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
    ['store', `Make ${article}`, `201: one${atFirst}`],
    ['show', `One ${article.replace(/^an? /, '')}`, '200: one, 404: missing'],
    ['update', `Change parts of ${article}`, `200: one, 404: missing${refusals}`],
    ...(input.flags.has('replace') ? [['replace', `Replace ${article}`, `200: one, 404: missing${refusals}`]] : []),
    ['destroy', `Remove ${article}`, '204: {}, 404: missing, 422: refused'],
  ]
}
