import { refusal } from './answer.ts'

/** What a body that is no form is answered with. A `TypeError`, as Fetch has it. @throws always */
export const badForm = (cause: unknown): never => {
  throw refusal(400, 'Invalid form', undefined, new TypeError('Invalid form', { cause }))
}
