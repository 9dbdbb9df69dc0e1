/** The part of a Durable Object namespace that is called. */
export interface DurableObjectNamespace {
  idFromName(name: string): unknown
  get(id: any): DurableObjectStub // any: the platform's own id type
}

/** What is used of one Durable Object from outside. */
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
