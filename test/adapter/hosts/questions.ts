const url = (path: string) => `https://h.example${path}`
const form = () => {
  const made = new FormData()
  made.append('file', new Blob([new Uint8Array([0, 255, 128])]), 'a.bin')
  return made
}
const post = (path: string, body: BodyInit, type?: string) =>
  new Request(url(path), { method: 'POST', body, ...(type && { headers: { 'content-type': type } }) })

/** Requests that every platform must answer as the application itself does. */
export const questions: [string, () => Request][] = [
  ['a parameter and the query', () => new Request(url('/users/a%20b?tag=y%26z&x=%C3%A9'))],
  ['JSON', () => post('/json', '{"a":"é"}', 'application/json')],
  ['JSON that is not', () => post('/json', '{', 'application/json')],
  ['bytes', () => post('/bytes', new Uint8Array([0, 255, 254, 128, 10]), 'image/png')],
  ['a form with a file', () => post('/form', form())],
  ['cookies', () => new Request(url('/cookies'), { headers: { cookie: 'c=3; d=4' } })],
  ['a redirect', () => new Request(url('/moved'))],
  ['no body', () => new Request(url('/empty'))],
  ['a large body', () => new Request(url('/large'))],
  ['HEAD', () => new Request(url('/users/1'), { method: 'HEAD' })],
  ['404', () => new Request(url('/none'))],
  ['405', () => new Request(url('/json'))],
  ['an error', () => new Request(url('/throw'))],
  ['a stream', () => new Request(url('/parts'))],
]
