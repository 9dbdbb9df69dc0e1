import type { FilesRuntime } from '../contract.ts'
import { finder } from '../platform/find-file.ts'
import { nodeFiles } from '../platform/node-files.ts'

export const openRoot: FilesRuntime['openRoot'] = (root) => finder(nodeFiles(), root)

export const assetsOf: FilesRuntime['assetsOf'] = () => undefined
