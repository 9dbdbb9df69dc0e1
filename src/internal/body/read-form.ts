import { ByteSource } from './byte-source.ts'
import type { FormEntry } from './form-record.ts'
import { type FormCounts, partsOf, textOfPart } from './parts.ts'

export const readForm = async (bytes: Uint8Array, type: string, limits: FormCounts): Promise<FormEntry[]> => {
  const source = new ByteSource()
  source.add(bytes)
  const entries: FormEntry[] = []
  for await (const [{ name, filename, type: fileType }, next] of partsOf(source, type, limits)) {
    if (filename === undefined) entries.push([name, await textOfPart(next)])
    else {
      const content = await next()
      entries.push([name, new File(content ? [content] : [], filename, { type: fileType })])
    }
  }
  return entries
}

export const toFormData = (entries: readonly FormEntry[]): FormData => {
  const form = new FormData()
  for (const [name, value] of entries) form.append(name, value as string)
  return form
}
