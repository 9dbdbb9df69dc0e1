import { type Built, buildFile, TARGETS, type Target } from '../../bundle/build.ts'
import { byteTable } from '../../bundle/byte-table.ts'
import { hasSwitch, type Invocation, type RunCommand, textOption } from '../../command.ts'
import type { ExitCode } from '../../errors.ts'
import { oneOf } from '../../one-of.ts'
import type { Output } from '../../output.ts'
import { resolveFrom } from '../../project/loader.ts'
import { projectRoot } from '../../project/project.ts'
import { type WrittenFile, writeFiles } from '../../project/write.ts'
import { reportFiles } from '../../report.ts'

/** `sluice build [entry]`: the application as one file, with its source map and the size of each feature. */
export const build: RunCommand = async (invocation) => {
  const root = projectRoot(invocation)
  const target = oneOf('--target', textOption(invocation, 'target') ?? 'node', TARGETS)
  const built = await buildFile(root, {
    entry: invocation.args[0],
    target,
    out: textOption(invocation, 'out') ?? 'build',
    minify: hasSwitch(invocation, 'minify'),
  })
  const written = writeFiles(root, built.files, { force: true })
  for (const warning of built.warnings) invocation.output.note(`sluice: ${warning}`)
  return hasSwitch(invocation, 'json')
    ? printAsJson(invocation, built, target, written)
    : reportBuild(invocation, root, built, target, written)
}

const printAsJson = ({ output }: Invocation, built: Built, target: Target, files: readonly WrittenFile[]): ExitCode => {
  const ok = files.every(({ action }) => action !== 'exists')
  output.line(JSON.stringify({ ok, target, ...built, files }, null, 2))
  return ok ? 0 : 1
}

const reportBuild = (
  invocation: Invocation,
  root: string,
  { files, parts, total, imports }: Built,
  target: Target,
  written: readonly WrittenFile[],
): ExitCode => {
  const { output } = invocation
  const code = reportFiles(invocation, root, files, written)
  output.line()
  for (const line of byteTable(parts, total, output)) output.line(line)
  const isNode = (name: string): boolean => name.startsWith('node:')
  const packages = imports.filter((name) => !isNode(name))
  const isInstalled = (name: string): boolean => resolveFrom(root, name) !== undefined
  note(output, 'not in the file, install them where it runs', packages.filter(isInstalled))
  note(
    output,
    'not in the file and not installed here, needed only by code that asks for them',
    packages.filter((name) => !isInstalled(name)),
  )
  if (target === 'workers' && imports.some(isNode))
    output.note(`sluice: the flag nodejs_compat is needed for ${imports.filter(isNode).join(', ')}`)
  return code
}

const note = (output: Output, meaning: string, names: readonly string[]): void => {
  if (names.length > 0) output.note(`sluice: ${meaning}: ${names.join(', ')}`)
}
