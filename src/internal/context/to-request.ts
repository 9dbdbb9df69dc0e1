/** The arguments of `new Request`, with the types of the runtime. */
export type RequestOptions = ConstructorParameters<typeof Request>[1]

/** A request to this application: `//evil.example` is one of its paths, not another host. */
export const toRequest = (input: string | URL | Request, init?: RequestOptions): Request =>
  new Request(
    typeof input === 'string' && !/^https?:\/\//i.test(input) ? `http://localhost/${input.replace(/^\//, '')}` : input,
    init,
  )
