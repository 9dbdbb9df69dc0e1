import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findTemplate, renderFile } from '../render.ts'
import { commonVariables, type Kind, type KindInput, listVariables, pageHelper } from './kind.ts'

/** A class of static handlers: `src/app/controllers/<Name>Controller.ts`. */
export const controller: Kind = {
  name: 'controller',
  suffix: 'Controller',
  describe: 'handlers in a class; --resource for CRUD, --api with validation and pages',
  templates: ['controller', 'controller.resource', 'controller.api', 'page'],
  options: ['resource', 'api', 'fields'],
  plan: (input) => {
    const variables = commonVariables(input)
    const contents = renderFile(templateFor(input), {
      ...variables,
      className: `${input.name.pascal}Controller`,
      resource: input.flags.has('resource') || input.flags.has('api'),
      api: input.flags.has('api'),
      validator: validatorFile(input),
      routed: input.flags.has('routed'),
      replace: input.flags.has('replace'),
      ...listVariables(input),
    })
    const file = { path: `src/app/controllers/${variables.inside}${input.name.pascal}Controller.ts`, contents }
    // A template of the project's own may have no use for the helper.
    return contents.includes("/page.ts'") ? [file, ...pageHelper(input)] : [file]
  },
  advise: (input) => {
    const { name, flags } = input
    const { inside } = commonVariables(input)
    const className = `${name.pascal}Controller`
    const isWhole = flags.has('resource') || flags.has('api')
    const routes = isWhole ? ROUTES : ROUTES.slice(0, 2)
    return [
      'Register it in src/routes.ts:',
      `  import { ${className} } from './app/controllers/${inside}${className}.ts'`,
      ...routes.map(([method, tail, action]) => `  app.${method}('${name.path}${tail}', ${className}.${action})`),
    ]
  },
}

/** The routes of SPEC 4.4, those of the stubs first. */
const ROUTES = [
  ['get', '', 'index'],
  ['get', '/:id', 'show'],
  ['post', '', 'store'],
  ['put', '/:id', 'update'],
  ['patch', '/:id', 'update'],
  ['delete', '/:id', 'destroy'],
] as const

/** Style by style: the project's own file for the style, its one `controller` file for all of them, then ours. */
const templateFor = ({ root, flags }: KindInput): string => {
  const style = flags.has('api') ? 'controller.api' : flags.has('resource') ? 'controller.resource' : 'controller'
  const exact = findTemplate(root, style)
  const general = findTemplate(root, 'controller')
  return (exact.custom || !general.custom ? exact : general).path
}

/** The file, without its ending, that holds the schemas already: made before or in the same go. */
const validatorFile = ({ root, name, flags }: KindInput): string | undefined => {
  if (flags.has('validator')) return name.pascal
  const folder = join(root, 'src/app/validators', ...name.folders)
  return [name.pascal, `${name.pascal}Validator`].find((file) => {
    const path = join(folder, `${file}.ts`)
    return existsSync(path) && readFileSync(path, 'utf8').includes(`export const create${name.pascal}Schema`)
  })
}
