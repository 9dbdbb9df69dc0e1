import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { hasSwitch, type Invocation } from './command.ts'
import type { ExitCode } from './errors.ts'
import type { Paint } from './output.ts'
import { diffLines } from './project/diff.ts'
import type { PlannedFile, WrittenFile } from './project/write.ts'

/**
 * Print what happened to the files, and the remaining steps: as lines, or as one JSON object. The exit code is 1 if a
 * file with other contents existed.
 */
export const reportFiles = (
  invocation: Invocation,
  root: string,
  files: readonly PlannedFile[],
  outcome: readonly WrittenFile[],
  advice: readonly string[] = [],
): ExitCode => {
  const { output } = invocation
  const dryRun = hasSwitch(invocation, 'dry-run')
  const ok = outcome.every(({ action }) => action !== 'exists')
  const toDo = advice.length > 0 && { advice }
  if (hasSwitch(invocation, 'json')) output.line(JSON.stringify({ ok, dryRun, root, files: outcome, ...toDo }, null, 2))
  else {
    for (const [index, file] of outcome.entries()) {
      output.line(`${label(file.action, output.paint)} ${file.path}`)
      if (dryRun) for (const line of preview(root, files[index], file.action)) output.line(colored(line, output.paint))
    }
    for (const line of advice) output.line(line)
    if (dryRun) output.line(output.paint.dim('Nothing was written: this was a dry run.'))
  }
  const kept = outcome.filter(({ action }) => action === 'exists').length
  if (!ok) {
    const what = kept === 1 ? '1 file was kept because it has' : `${kept} files were kept because they have`
    output.note(`sluice: ${what} different contents: --dry-run shows the differences, --force replaces`)
  }
  return ok ? 0 : 1
}

const label = (action: WrittenFile['action'], paint: Paint): string => {
  const text = action === 'exists' ? 'skip' : action
  const color = {
    create: paint.green,
    overwrite: paint.yellow,
    update: paint.yellow,
    identical: paint.dim,
    exists: paint.red,
  }[action]
  return color(text.padEnd(9))
}

const preview = (root: string, file: PlannedFile | undefined, action: WrittenFile['action']): string[] => {
  if (file === undefined || action === 'identical') return []
  if (action === 'create')
    return file.contents
      .trimEnd()
      .split('\n')
      .map((line) => `  ${line}`.trimEnd())
  return diffLines(readFileSync(join(root, file.path), 'utf8'), file.contents).map((line) => `  ${line}`)
}

const colored = (line: string, paint: Paint): string =>
  line.startsWith('  + ') ? paint.green(line) : line.startsWith('  - ') ? paint.red(line) : line
