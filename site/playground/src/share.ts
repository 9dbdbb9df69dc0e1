/** What the address of a shared program holds. */
export interface Shared {
  readonly code?: string
  readonly compare?: string
  readonly method?: string
  readonly path?: string
  readonly headers?: string
  readonly body?: string
  /** A preset or a step of the tutorial, as the chooser names it. */
  readonly example?: string
}

const pack = async (text: string): Promise<string> => {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream('deflate-raw'))
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer())
  let binary = ''
  for (const byte of bytes) binary += String.fromCharCode(byte)
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

const unpack = async (text: string): Promise<string> => {
  const bytes = Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0))
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'))).text()
}

/** The part of an address that says it all: nothing is stored anywhere. */
export const toHash = async (shared: Shared): Promise<string> => `#s=${await pack(JSON.stringify(shared))}`

/** What an address says. An address that was cut off gives the first preset, which is better than an empty page. */
export const fromHash = async (hash: string): Promise<Shared> => {
  const fields = new URLSearchParams(hash.slice(1))
  try {
    const packed = fields.get('s')
    if (packed) return JSON.parse(await unpack(packed))
  } catch {
    return { example: '0' }
  }
  const code = fields.get('code')
  if (code !== null) return { code, path: fields.get('path') ?? '/' }
  const step = fields.get('step')
  return { example: step === null ? (fields.get('preset') ?? '0') : `step-${step}` }
}
