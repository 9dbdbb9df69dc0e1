import { badForm } from '../../internal/body/bad-form.ts'
import { parametersOf } from '../../internal/body/parameters.ts'
import type { FormCounts } from '../../internal/body/parts.ts'
import { readForm, toFormData } from '../../internal/body/read-form.ts'

/** The platform's class around bytes, for results that depend on the content type. */
export const typedContent = (bytes: Uint8Array<ArrayBuffer> | ArrayBuffer, type: string | null): Response =>
  new Response(bytes, type ? { headers: { 'content-type': type } } : {})

/** The form in the bytes. @throws {Error} 400 or 415 if they do not contain one. */
export const formOf = async (bytes: Uint8Array<ArrayBuffer>, type: string | null): Promise<FormData> =>
  type && parametersOf(type, 'multipart/form-data')
    ? toFormData(await readForm(bytes, type, NO_COUNTS))
    : typedContent(bytes, type).formData().catch(badForm)

/** No limit for a file: the whole body is already limited. */
const NO_COUNTS: FormCounts = { fields: Number.POSITIVE_INFINITY, files: Number.POSITIVE_INFINITY }
