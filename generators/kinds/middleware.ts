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
    const { root, name } = input
    refuseOwnName(root, name)
    const variables = commonVariables(input)
    const module = `app/middleware/${variables.inside}${name.kebab}.ts`
    const path = `src/${module}`
    const advice = [
      'Put it before a handler in src/routes.ts, or before all with app.use in src/app.ts:',
      `  import { ${name.camel} } from './${module}'`,
      `  app.get('/path', ${name.camel}, handler)`,
    ]
    return {
      files: [{ path, contents: renderTemplate(root, templateFor(name.kebab), variables) }],
      advice: isImported(root, path) ? [] : advice,
    }
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
