import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { hasSwitch, type RunCommand } from '../../command.ts'
import { usageError } from '../../errors.ts'
import { RESOURCE } from '../../kinds/resource.ts'
import { KINDS } from '../../kinds.ts'
import { projectRoot } from '../../project/project.ts'
import { writeFiles } from '../../project/write.ts'
import { bundledTemplates } from '../../render.ts'
import { reportFiles } from '../../report.ts'
import { didYouMean } from '../../suggest.ts'

/** `sluice eject <kind>`: copy our templates of a kind to the project, where they take precedence. */
export const eject: RunCommand = (invocation) => {
  const [kindName = ''] = invocation.args
  const kinds = [...KINDS, RESOURCE]
  const kind = kinds.find(({ name }) => name === kindName)
  if (kind === undefined) {
    const names = kinds.map(({ name }) => name)
    throw usageError(`There is no kind "${kindName}".${didYouMean(kindName, names)}\nKinds: ${names.join(', ')}`)
  }
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
