import { usageError } from '../errors.ts'
import type { Name } from '../names/names.ts'
import { resolveFrom } from '../project/loader.ts'
import { isImported } from '../project/routes-file.ts'
import { renderTemplate } from '../render.ts'
import { commonVariables, type Kind } from './kind.ts'

/** A middleware: `src/app/middleware/<name>.ts`. */
export const middleware: Kind = {
  name: 'middleware',
  suffix: '',
  templates: ['middleware', 'middleware.auth', 'middleware.session'],
  plan: (input) => {
    refuseOwnName(input.root, input.name)
    const variables = commonVariables(input)
    return [
      {
        path: `src/app/middleware/${variables.inside}${input.name.kebab}.ts`,
        contents: renderTemplate(input.root, templateFor(input.name.kebab), variables),
      },
    ]
  },
  advise: ({ root, name }) => {
    const module = `app/middleware/${[...name.folders, name.kebab].join('/')}.ts`
    if (isImported(root, `src/${module}`)) return []
    return [
      'Put it before a handler in src/routes.ts, or before all with app.use in src/app.ts:',
      `  import { ${name.camel} } from './${module}'`,
      `  app.get('/path', ${name.camel}, handler)`,
    ]
  },
}

/** A middleware of a project with the name of one of the package would be taken for it. */
const refuseOwnName = (root: string, { kebab }: Name): void => {
  if (resolveFrom(root, `sluice/middleware/${kebab}`) === undefined) return
  const other = kebab === 'session' ? 'require-session' : `own-${kebab}`
  throw usageError(`"${kebab}" is a middleware of sluice (sluice/middleware/${kebab}): choose a name such as ${other}`)
}

/** Two names have templates of their own, because most applications need them. */
const templateFor = (name: string): string => {
  if (/^auth(?:-middleware)?$/.test(name)) return 'middleware.auth'
  return name === 'require-session' ? 'middleware.session' : 'middleware'
}
