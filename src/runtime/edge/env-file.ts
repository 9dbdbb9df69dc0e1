import type { EnvFile } from '../contract.ts'

/** The edge has no files, so a bundle holds nothing of what reads them. */
export const envFile: EnvFile | undefined = undefined
