import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseFields } from './fields.ts'
import { controller } from './kinds/controller.ts'
import { commonVariables, type Kind, type KindInput } from './kinds/kind.ts'
import { migration } from './kinds/migration.ts'
import { model } from './kinds/model.ts'
import { validator } from './kinds/validator.ts'
import { parseName, splitWords, toPascal } from './names.ts'
import { renderTemplate } from './render.ts'
import type { PlannedFile } from './write.ts'

/** What `g resource` is called and takes. */
export const RESOURCE: Pick<Kind, 'describe' | 'options' | 'templates'> & { readonly name: 'resource' } = {
  name: 'resource',
  describe: 'model, migration, validator, controller, routes and test in one go',
  options: ['table', 'soft-delete', 'no-timestamps', 'fields'],
  templates: ['routes', 'resource.test'],
}

/** The files of a whole resource; without `--fields` it has one: `name`. */
export const planResource = (given: KindInput): readonly PlannedFile[] => {
  const fields = given.fields.length > 0 ? given.fields : parseFields('name:string')
  const input: KindInput = { ...given, fields, flags: new Set([...given.flags, 'api', 'validator']) }
  const step = parseName(`Create${toPascal(splitWords(input.table).map((word) => word.toLowerCase()))}Table`)
  const variables = commonVariables(input)
  const routes = `src/app/routes/${variables.inside}${input.name.kebab}.ts`
  return [
    ...model.plan(input),
    ...migration.plan({ ...input, name: step, table: input.table }),
    ...validator.plan(input),
    ...controller.plan(input),
    { path: routes, contents: renderTemplate(input.root, 'routes', variables) },
    {
      path: `test/${variables.inside}${input.name.kebab}.test.ts`,
      contents: renderTemplate(input.root, 'resource.test', testVariables(input)),
    },
    ...wireRoutes(input, routes),
  ]
}

const testVariables = (input: KindInput) => ({
  ...commonVariables(input),
  /** From the test back to the project. */
  top: '../'.repeat(input.name.folders.length + 1),
  samples: input.fields.map(({ name, sample }) => `${name}: ${sample}`).join(', '),
  required: input.fields.filter(({ optional }) => !optional).map(({ name }) => name),
})

/** Lines in `src/routes.ts` that new routes are put before; a project without them wires its routes itself. */
const IMPORT_MARK = '// sluice: imports'
const CALL_MARK = '  // sluice: routes'

/** The edit of `src/routes.ts` that registers the new routes, once. */
const wireRoutes = ({ root, name }: KindInput, routes: string): readonly PlannedFile[] => {
  const path = 'src/routes.ts'
  const source = existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : ''
  if (!source.includes(IMPORT_MARK) || !source.includes(CALL_MARK)) return []
  const register = `${name.camel}Routes`
  const alias = name.folders.length === 0 ? register : `${toCamelAlias(name.folders)}${toPascal([register])}`
  const imported = alias === register ? register : `${register} as ${alias}`
  const importLine = `import { ${imported} } from './${routes.slice('src/'.length)}'\n`
  if (source.includes(importLine)) return []
  const contents = source
    .replace(IMPORT_MARK, () => importLine + IMPORT_MARK)
    .replace(CALL_MARK, () => `  ${alias}(app)\n${CALL_MARK}`)
  return [{ path, contents, edit: true }]
}

/** `admin/User` and `User` may stand side by side: the folder goes before the name. */
const toCamelAlias = (folders: readonly string[]): string => {
  const [first = '', ...rest] = folders.flatMap((folder) => folder.split('-'))
  return first + toPascal(rest)
}
