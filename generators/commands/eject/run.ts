import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { hasSwitch, type RunCommand } from '../../command.ts'
import { usageError } from '../../errors.ts'
import { KINDS } from '../../kinds.ts'
import { unknownKind } from '../../names/kind-names.ts'
import { projectRoot } from '../../project/project.ts'
import { writeFiles } from '../../project/write.ts'
import { bundledTemplates } from '../../render.ts'
import { reportFiles } from '../../report.ts'

/** `sluice eject <kind>`: copy our templates of a kind to the project, where they take precedence. */
export const eject: RunCommand = (invocation) => {
  const [kindName = ''] = invocation.args
  const kind = KINDS.find(({ name }) => name === kindName)
  if (kind === undefined) throw usageError(unknownKind(kindName))
  const root = projectRoot(invocation)
  const files = kind.templates.map((template) => ({
    path: `templates/${template}.ts.ejs`,
    contents: readFileSync(join(bundledTemplates(), `${template}.ts.ejs`), 'utf8'),
  }))
  const outcome = writeFiles(root, files, {
    force: hasSwitch(invocation, 'force'),
    dryRun: hasSwitch(invocation, 'dry-run'),
  })
  return reportFiles(invocation, root, files, outcome)
}
