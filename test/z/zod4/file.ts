export const { File } = globalThis
