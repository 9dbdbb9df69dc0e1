import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findTemplate, renderFile, routeCall } from '../render.ts'
import { isImported } from '../routes-file.ts'
import {
  answerVariables,
  commonVariables,
  type Kind,
  type KindInput,
  listVariables,
  pageHelper,
  replaceSchema,
} from './kind.ts'

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
      lock: input.flags.has('lock'),
      replaceSchema: replaceSchema(input),
      ...listVariables(input),
      answers: answerVariables(input).answers,
      about: aboutOf(input),
    })
    const file = { path: `src/app/controllers/${variables.inside}${input.name.pascal}Controller.ts`, contents }
    // A custom template may not use the helper.
    return contents.includes("/page.ts'") ? [file, ...pageHelper(input)] : [file]
  },
  advise: (input) => {
    const { name, flags } = input
    const { inside } = commonVariables(input)
    const className = `${name.pascal}Controller`
    const isWhole = flags.has('resource') || flags.has('api')
    const routes = isWhole ? ROUTES : ROUTES.slice(0, 2)
    const about = `about${name.pascal}`
    // A custom template may not describe its routes, and may use no model
    const contents = controller.plan(input)[0]?.contents ?? ''
    const isDescribed = contents.includes(`export const ${about} `)
    const model = `models/${inside}${name.pascal}.ts`
    const isMissing = contents.includes(`/${model}'`) && !existsSync(join(input.root, 'src/app', model))
    if (isImported(input.root, `src/app/controllers/${inside}${className}.ts`)) return []
    return [
      ...(isMissing ? [`It imports src/app/${model}, which is missing: sluice g model ${inside}${name.pascal}`] : []),
      'Register it in src/routes.ts:',
      `  import { ${isDescribed ? `${about}, ` : ''}${className} } from './app/controllers/${inside}${className}.ts'`,
      ...routes.map(([method, tail, action]) =>
        routeCall(method, name.path + tail, ...(isDescribed ? [`${about}.${action}`] : []), `${className}.${action}`),
      ),
    ]
  },
}

/** The routes of a controller; those of the plain template come first. */
const ROUTES = [
  ['get', '', 'index'],
  ['get', '/:id', 'show'],
  ['post', '', 'store'],
  ['put', '/:id', 'update'],
  ['patch', '/:id', 'update'],
  ['delete', '/:id', 'destroy'],
] as const

/** Source text of the OpenAPI description of a route. */
interface RouteAbout {
  readonly action: string
  readonly summary: string
  /** Input that the handler reads itself. */
  readonly request?: string
  readonly responses: string
}

const aboutOf = (input: KindInput): readonly RouteAbout[] => {
  const { flags, name } = input
  const { label, article } = commonVariables(input)
  const single = article.replace(/^an? /, '')
  const isApi = flags.has('api')
  if (!isApi && !flags.has('resource'))
    return [
      { action: 'index', summary: `A list of ${label}`, responses: '501: notWritten' },
      { action: 'show', summary: `One ${single}`, responses: '501: notWritten' },
    ]
  const written = isApi ? '422: refused' : '400: malformed, 415: foreign, 422: refused'
  const body = (verb: string): object => (isApi ? { request: `body: ${verb}${name.pascal}Schema` } : {})
  return [
    isApi
      ? {
          action: 'index',
          summary: `A page of ${label}`,
          request: `query: ${listVariables(input).listSchema}`,
          responses: '200: many, 400: invalid',
        }
      : { action: 'index', summary: `A list of ${label}`, responses: '200: many' },
    { action: 'show', summary: `One ${single}`, responses: '200: one, 404: missing' },
    { action: 'store', summary: `Create ${article}`, ...body('create'), responses: `201: one, ${written}` },
    {
      action: 'update',
      summary: `Update ${article}`,
      ...body('update'),
      responses: `200: one, 404: missing, ${written}`,
    },
    { action: 'destroy', summary: `Delete ${article}`, responses: '204: {}, 404: missing, 422: refused' },
  ]
}

/** The template of a style: that of the project, else the project's `controller` template, else the bundled one. */
const templateFor = ({ root, flags }: KindInput): string => {
  const style = flags.has('api') ? 'controller.api' : flags.has('resource') ? 'controller.resource' : 'controller'
  const exact = findTemplate(root, style)
  const general = findTemplate(root, 'controller')
  return (exact.custom || !general.custom ? exact : general).path
}

/** The file, without extension, that already has the schemas, or gets them in the same run. */
const validatorFile = ({ root, name, flags }: KindInput): string | undefined => {
  if (flags.has('validator')) return name.pascal
  const folder = join(root, 'src/app/validators', ...name.folders)
  return [name.pascal, `${name.pascal}Validator`].find((file) => {
    const path = join(folder, `${file}.ts`)
    return existsSync(path) && readFileSync(path, 'utf8').includes(`export const create${name.pascal}Schema`)
  })
}
