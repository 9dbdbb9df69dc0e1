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
  const ask = async (question: string, choices: readonly string[], fallback: string): Promise<string> =>
    (await terminal.question(`${question} (${choices.join(', ')}) [${fallback}] `)).trim() || fallback
  try {
    const template = options.template === undefined ? await ask('Template', TEMPLATES, 'default') : undefined
    const usual = usualDatabase(deploy, template ?? options.template)
    const db = options.db === undefined ? await ask('Database', placeDatabases(deploy), usual) : undefined
    return { ...(template !== undefined && { template }), ...(db !== undefined && { db }) }
  } finally {
    terminal.close()
  }
}
