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
    const variables = commonVariables(input)
    const contents = renderFile(templateFor(input), {
      ...variables,
      className: `${input.name.pascal}Controller`,
      resource: input.flags.has('resource') || input.flags.has('api'),
      api: input.flags.has('api'),
      filters: filtersOf(input.fields),
      ...conflictsOf(input),
    })
    return [{ path: `src/app/controllers/${variables.inside}${input.name.pascal}Controller.ts`, contents }]
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
      ...routes.map(([method, tail, action]) => {
        const steps = [...(isDescribed ? [`${about}.${action}`] : []), `${className}.${action}`]
        return `  .${method}('${name.path}${tail}', ${steps.join(', ')})`
      }),
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

/** The template of a style: that of the project, else the project's `controller` template, else the bundled one. */
const templateFor = ({ root, flags }: KindInput): string => {
  const style = flags.has('api') ? 'controller.api' : flags.has('resource') ? 'controller.resource' : 'controller'
  const exact = findTemplate(root, style)
  const general = findTemplate(root, 'controller')
  return (exact.custom || !general.custom ? exact : general).path
}
