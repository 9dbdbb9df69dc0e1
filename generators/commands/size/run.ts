import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { measure } from '../../bundle/bundle.ts'
import { byteTable } from '../../bundle/byte-table.ts'
import { hasSwitch, type RunCommand, textOption } from '../../command.ts'
import { configError, usageError } from '../../errors.ts'
import { applicationPath, projectFile, projectRoot } from '../../project/project.ts'

/** The file with the budgets: `{ "src/worker.ts": 12000 }`, bytes of gzip by entry. */
const BUDGETS = 'sluice-size.json'

/** `sluice size [entry]`: what each imported feature costs, and whether the total is within its budget. */
export const size: RunCommand = async (invocation) => {
  const root = projectRoot(invocation)
  const entry = invocation.args[0] ?? applicationPath(root)
  projectFile(root, invocation.args[0])
  const { total, parts } = await measure(root, entry)
  const budget = readBudget(textOption(invocation, 'budget')) ?? budgetOf(root, entry)
  const ok = budget === undefined || total.gzip <= budget
  if (hasSwitch(invocation, 'json'))
    invocation.output.line(JSON.stringify({ ok, entry, budget: budget ?? null, total, parts }, null, 2))
  else for (const line of byteTable(parts, total, invocation.output)) invocation.output.line(line)
  if (!ok)
    invocation.output.note(
      `sluice: ${entry} has ${total.gzip} bytes, ${total.gzip - budget} over its budget of ${budget}`,
    )
  return ok ? 0 : 1
}

const readBudget = (text: string | undefined): number | undefined => {
  if (text === undefined) return undefined
  if (/^[1-9]\d{0,9}$/.test(text)) return Number(text)
  throw usageError(`--budget must be a number of bytes, not ${JSON.stringify(text)}`)
}

const budgetOf = (root: string, entry: string): number | undefined => {
  const path = join(root, BUDGETS)
  if (!existsSync(path)) return undefined
  try {
    const budget = new Map<string, unknown>(Object.entries(JSON.parse(readFileSync(path, 'utf8')))).get(entry)
    if (budget === undefined || (typeof budget === 'number' && budget > 0)) return budget
    throw new TypeError(`"${entry}" must be a number of bytes`)
  } catch (error) {
    throw configError(`${path} cannot be read: ${(error as Error).message}`, error)
  }
}
