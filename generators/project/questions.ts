import { createInterface } from 'node:readline/promises'
import { hasSwitch, type Invocation } from '../command.ts'
import { type Blueprint, TEMPLATES } from './blueprint.ts'
import { placeDatabases, usualDatabase } from './deploy.ts'

/** The answers of the user; empty if there were no questions. */
export interface Answers {
  readonly template?: string
  readonly db?: string
}

/** Ask for missing options, but only interactively: both streams are terminals, without `--yes`, `--json` or CI. */
export const askBlueprint = async (invocation: Invocation, deploy: Blueprint['deploy']): Promise<Answers> => {
  const { env, options } = invocation
  const isPerson = process.stdin.isTTY === true && process.stdout.isTTY === true && !env.CI
  if (!isPerson || hasSwitch(invocation, 'yes') || hasSwitch(invocation, 'json')) return {}
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  // While readline reads a line, it handles Ctrl-C: end the process as Ctrl-C does elsewhere.
  terminal.once('SIGINT', () => process.kill(process.pid, 'SIGINT'))
  const read = (question: string): Promise<string> => terminal.question(question)
  try {
    const template =
      options.template === undefined ? await askChoice(read, 'Template', TEMPLATES, 'default') : undefined
    const usual = usualDatabase(deploy, template ?? options.template)
    const db = options.db === undefined ? await askChoice(read, 'Database', placeDatabases(deploy), usual) : undefined
    return { ...(template !== undefined && { template }), ...(db !== undefined && { db }) }
  } finally {
    terminal.close()
  }
}

/** Ask until the answer is one of the choices; an empty answer is the usual one. */
export const askChoice = async (
  read: (question: string) => Promise<string>,
  name: string,
  choices: readonly string[],
  usual: string,
): Promise<string> => {
  const answer = (await read(`${name} (${choices.join(', ')}) [${usual}] `)).trim() || usual
  return choices.includes(answer) ? answer : askChoice(read, name, choices, usual)
}
