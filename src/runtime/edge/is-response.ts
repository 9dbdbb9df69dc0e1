/** The platform's class is there anyway. A thrown Proxy that fails when it is looked at fails here too. */
export const isResponse = (value: unknown): value is Response => value instanceof Response
