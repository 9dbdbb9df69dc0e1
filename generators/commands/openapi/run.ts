import { existsSync, readFileSync } from 'node:fs'
import { basename, relative, resolve } from 'node:path'
import type { Contract } from '../../../src/internal/route/contract.ts'
import type { OpenApiOptions } from '../../../src/openapi.ts'
import { type Invocation, type RunCommand, textOption } from '../../command.ts'
import { CliError, failure, usageError } from '../../errors.ts'
import { importApplication } from '../../project/application.ts'
import { diffLines } from '../../project/diff.ts'
import { formatFiles } from '../../project/format.ts'
import { importSluice } from '../../project/loader.ts'
import { projectRoot, readManifest } from '../../project/project.ts'
import { writeText } from '../../project/write.ts'

/** `sluice openapi`: the document of the application, printed, written, or compared with a file. */
export const openapi: RunCommand = async (invocation) => {
  const { cwd, output } = invocation
  const [out, check] = [textOption(invocation, 'out'), textOption(invocation, 'check')]
  if (out !== undefined && check !== undefined) throw usageError('--out writes and --check compares: use one of them')
  const text = await documentOf(invocation)
  if (check !== undefined) return compare(resolve(cwd, check), text, invocation)
  if (out === undefined) {
    output.write(text)
    return 0
  }
  const root = projectRoot(invocation)
  const file = resolve(cwd, out)
  const [written] = await formatFiles(root, [{ path: relative(root, file), contents: text }], { again: true })
  writeText(file, written?.contents ?? text, out)
  output.line(`Wrote ${out}`)
  return 0
}

/** The document as text. It has the options of `openapiRoute`, else the name and version of the project. */
const documentOf = async (invocation: Invocation): Promise<string> => {
  const root = projectRoot(invocation)
  const app = await importApplication(invocation)
  const documentOptions = app.plan.routes.map(
    ({ handler }) => (handler as { describes?: Contract }).describes?.document,
  )
  const options = documentOptions.find(Boolean) as OpenApiOptions | undefined
  const { name = basename(root), version = '0.0.0' } = readManifest(root)
  const { openapi: describe } = await importSluice(root, 'sluice/openapi')
  try {
    return `${JSON.stringify(describe(app, options ?? { info: { title: name, version } }), null, 2)}\n`
  } catch (error) {
    throw failure((error as Error).message, error)
  }
}

const compare = (file: string, text: string, { output }: Invocation): 0 => {
  const name = basename(file)
  if (!existsSync(file)) throw new CliError(4, `${name} does not exist: sluice openapi --out ${name}`)
  const before = layOut(readFileSync(file, 'utf8'))
  if (before === text) {
    output.line(`${name} is up to date`)
    return 0
  }
  for (const line of diffLines(before, text)) output.line(line)
  throw new CliError(4, `${name} does not match the application: sluice openapi --out ${name}`)
}

/** The JSON in the format of this command, so that a reformatted file is still equal. */
const layOut = (text: string): string => {
  try {
    return `${JSON.stringify(JSON.parse(text), null, 2)}\n`
  } catch {
    return text
  }
}
