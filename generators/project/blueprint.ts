import type { FromDocument } from '../from/files.ts'

/** The choices for a new project. */
export interface Blueprint {
  readonly name: string
  readonly template: (typeof TEMPLATES)[number]
  readonly db: (typeof DATABASES)[number]
  readonly packageManager: (typeof PACKAGE_MANAGERS)[number]
  /** Where it is deployed, if it gets files for that. */
  readonly deploy?: (typeof DEPLOYS)[number] | undefined
  /** Routes, schemas and tests of an OpenAPI document. */
  readonly from?: FromDocument | undefined
}

/** What `sluice new` can be asked for, the default first. */
export const TEMPLATES = ['default', 'api', 'minimal'] as const
export const DATABASES = ['sqlite', 'postgres', 'mysql', 'none'] as const
export const PACKAGE_MANAGERS = ['npm', 'pnpm', 'yarn', 'bun'] as const
export const DEPLOYS = ['docker', 'workers', 'lambda', 'fly'] as const
