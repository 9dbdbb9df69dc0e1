import type { ResponseBody } from '../contract.ts'

export const isStream = (body: ResponseBody): body is ReadableStream =>
  typeof body === 'object' && body !== null && !(body instanceof Uint8Array)
