import { renderTemplate } from '../render.ts'
import { commonVariables, type Kind } from './kind.ts'

/** A step around handlers: `src/app/middleware/<name>.ts`. */
export const middleware: Kind = {
  name: 'middleware',
  suffix: '',
  describe: 'a step around handlers; "auth" reads a bearer token',
  templates: ['middleware', 'middleware.auth'],
  options: [],
  plan: (input) => {
    const variables = commonVariables(input)
    const isAuth = /^auth(?:-middleware)?$/.test(input.name.kebab)
    return [
      {
        path: `src/app/middleware/${variables.inside}${input.name.kebab}.ts`,
        contents: renderTemplate(input.root, isAuth ? 'middleware.auth' : 'middleware', variables),
      },
    ]
  },
}
