import type { ImportSluice } from '../../project/loader.ts'
import type { DevApplication } from '../application.ts'

/** What the inspector needs from its process. */
export interface InspectorOptions {
  readonly app: DevApplication
  /** Port that the application listens on. */
  readonly port: number
  /** Name or address that it listens on. @default 'localhost' */
  readonly host?: string | undefined
  /** A module of the project's sluice, by its subpath. */
  readonly load: ImportSluice
  /** Values of the environment. @default those of this process */
  readonly env?: Readonly<Record<string, string | undefined>>
}
