/** An origin as browsers send it (RFC 6454 §7): lower case, ASCII, without the default port, a path or a wildcard. */
const ORIGIN = /^(?!http:.*:80$|https:.*:443$)[a-z][a-z\d+.-]*:\/\/[^A-Z/\\,*?#@\x00-\x20\x7f-\uffff]+$/

export const AN_ORIGIN = 'an origin such as "https://a.example"'

/** Whether a browser can send this value as `Origin`. The opaque origin `null` is not one. */
export const isOrigin = (origin: unknown): boolean => typeof origin === 'string' && ORIGIN.test(origin)
