import { renderTemplate } from '../render.ts'
import { commonVariables, type Kind } from './kind.ts'

/** A middleware: `src/app/middleware/<name>.ts`. */
export const middleware: Kind = {
  name: 'middleware',
  suffix: '',
  describe: 'a middleware; "auth" reads a bearer token, "require-session" a session',
  templates: ['middleware', 'middleware.auth', 'middleware.session'],
  options: [],
  plan: (input) => {
    const variables = commonVariables(input)
    return [
      {
        path: `src/app/middleware/${variables.inside}${input.name.kebab}.ts`,
        contents: renderTemplate(input.root, templateFor(input.name.kebab), variables),
      },
    ]
  },
}

/** Two names have templates of their own, because most applications need them. */
const templateFor = (name: string): string => {
  if (/^auth(?:-middleware)?$/.test(name)) return 'middleware.auth'
  return name === 'require-session' ? 'middleware.session' : 'middleware'
}
