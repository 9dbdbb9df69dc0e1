/** The part of a Durable Object namespace that is used here. */
export interface DurableObjectNamespace {
  idFromName(name: string): unknown
  get(id: any): DurableObjectStub // any: the platform's own id type
}

/** The part of a Durable Object stub that is used here. */
export interface DurableObjectStub {
  fetch(
    url: string,
    init: {
      readonly method?: string
      readonly body?: string
      readonly headers?: Readonly<Record<string, string>>
    },
  ): Promise<Response>
}
