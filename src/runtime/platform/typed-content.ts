import { badForm } from '../../internal/body/bad-form.ts'
import { parametersOf } from '../../internal/body/parameters.ts'
import { readForm, toFormData } from '../../internal/body/read-form.ts'

export const typedContent = (bytes: Uint8Array<ArrayBuffer> | ArrayBuffer, type: string | null): Response =>
  new Response(bytes, type ? { headers: { 'content-type': type } } : {})

/** @throws {Error} 400 or 415 if the bytes do not contain a form. */
export const formOf = async (bytes: Uint8Array<ArrayBuffer>, type: string | null): Promise<FormData> => {
  if (!type || !parametersOf(type, 'multipart/form-data')) return typedContent(bytes, type).formData().catch(badForm)
  // The whole body is already limited
  const max = Number.POSITIVE_INFINITY
  return toFormData(await readForm(bytes, type, { fields: max, files: max, fieldSize: max }))
}
