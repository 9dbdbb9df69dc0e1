import { renderTemplate } from '../render.ts'
import { commonVariables, type Kind } from './kind.ts'

/** A class for rules that do not belong to a single request: `src/app/services/<Name>.ts`. */
export const service: Kind = {
  name: 'service',
  suffix: '',
  templates: ['service'],
  plan: (input) => {
    const variables = { ...commonVariables(input), className: input.name.pascal }
    const path = `src/app/services/${variables.inside}${input.name.pascal}.ts`
    return { files: [{ path, contents: renderTemplate(input.root, 'service', variables) }], advice: [] }
  },
}
