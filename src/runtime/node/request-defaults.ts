/** Members of a request that are the same for every one that comes over a socket (Fetch §5.4). */
const DEFAULTS: Readonly<Record<string | symbol, unknown>> = {
  cache: 'default',
  credentials: 'same-origin',
  destination: '',
  duplex: 'half',
  integrity: '',
  keepalive: false,
  mode: 'cors',
  redirect: 'follow',
  referrer: 'about:client',
  referrerPolicy: '',
  [Symbol.toStringTag]: 'Request',
}

/** Put them on a prototype, read-only as the platform has them. */
export const defineDefaults = (prototype: object): void => {
  for (const name of Reflect.ownKeys(DEFAULTS)) {
    Object.defineProperty(prototype, name, { get: () => DEFAULTS[name], configurable: true })
  }
}
