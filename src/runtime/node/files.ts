import type { FilesRuntime } from '../contract.ts'
import { finder } from '../platform/find-file.ts'
import { nodeFiles } from '../platform/node-files.ts'

export const openRoot: FilesRuntime['openRoot'] = (root, everyMs) => finder(nodeFiles(), root, everyMs)

export const assetsOf: FilesRuntime['assetsOf'] = () => undefined
