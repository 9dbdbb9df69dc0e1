/** The part of a Durable Object namespace that is used here. */
export interface DurableObjectNamespace {
  idFromName(name: string): unknown
  get(id: unknown): DurableObjectStub
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
