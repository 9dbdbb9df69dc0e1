import type { FilesRuntime } from '../contract.ts'
import { finder } from '../platform/find-file.ts'
import { nodeFiles } from '../platform/node-files.ts'

declare const Bun: {
  file(path: string): { slice(start: number, end: number): { stream(): ReadableStream<Uint8Array> } }
}

const stream = (path: string, start: number, length: number): ReadableStream<Uint8Array> => {
  const part = Bun.file(path).slice(start, start + length)
  return part.stream()
}

export const openRoot: FilesRuntime['openRoot'] = (root) => finder(nodeFiles({ stream }), root)

export const assetsOf: FilesRuntime['assetsOf'] = () => undefined
