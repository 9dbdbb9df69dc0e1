import { renderTemplate } from '../render.ts'
import { commonVariables, type Kind } from './kind.ts'

/** Schemas for what clients send: `src/app/validators/<Name>.ts`. */
export const validator: Kind = {
  name: 'validator',
  suffix: 'Validator',
  templates: ['validator'],
  plan: (input) => {
    const variables = commonVariables(input)
    // Fields of the command line are other ones than those of the model
    const isDerived = input.isDefined && input.typed.length === 0
    const contents = renderTemplate(input.root, 'validator', { ...variables, id: input.id, isDerived })
    const path = `src/app/validators/${variables.inside}${input.name.typed}.ts`
    return { files: [{ path, contents }], advice: [] }
  },
}
