import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { isImported } from '../project/routes-file.ts'
import { findTemplate, renderFile } from '../render.ts'
import { commonVariables, conflictsOf, filtersOf, type Kind, type KindInput } from './kind.ts'

/** A class of static handlers: `src/app/controllers/<Name>Controller.ts`. */
export const controller: Kind = {
  name: 'controller',
  suffix: 'Controller',
  templates: ['controller', 'controller.resource', 'controller.api'],
  plan: (input) => {
    const { root, name, flags } = input
    const variables = commonVariables(input)
    const { inside } = variables
    const className = `${name.pascal}Controller`
    const api = flags.has('api')
    const isWhole = api || flags.has('resource')
    const contents = renderFile(templateFor(input), {
      ...variables,
      className,
      resource: isWhole,
      api,
      filters: filtersOf(input.fields),
      ...conflictsOf(input),
    })
    const path = `src/app/controllers/${inside}${className}.ts`
    const files = [{ path, contents }]
    if (isImported(root, path)) return { files, advice: [] }
    const about = `about${name.pascal}`
    // A custom template may not describe its routes, and may use no model
    const isDescribed = contents.includes(`export const ${about} `)
    const model = `models/${inside}${name.pascal}.ts`
    const isMissing = contents.includes(`/${model}'`) && !existsSync(join(root, 'src/app', model))
    const advice = [
      ...(isMissing ? [`It imports src/app/${model}, which is missing: sluice g model ${inside}${name.pascal}`] : []),
      'Register it in src/routes.ts:',
      `  import { ${isDescribed ? `${about}, ` : ''}${className} } from './app/controllers/${inside}${className}.ts'`,
      ...(isWhole ? ROUTES : ROUTES.slice(0, 2)).map(([method, tail, action]) => {
        const steps = [...(isDescribed ? [`${about}.${action}`] : []), `${className}.${action}`]
        return `  .${method}('${name.path}${tail}', ${steps.join(', ')})`
      }),
    ]
    return { files, advice }
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

/** The template of a style: that of the project, else the project's `controller` template, else the bundled one. */
const templateFor = ({ root, flags }: KindInput): string => {
  const style = flags.has('api') ? 'controller.api' : flags.has('resource') ? 'controller.resource' : 'controller'
  const exact = findTemplate(root, style)
  const general = findTemplate(root, 'controller')
  return (exact.custom || !general.custom ? exact : general).path
}
