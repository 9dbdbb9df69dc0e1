import { cors } from '../../dist/middleware/cors.js'
import { helmet } from '../../dist/middleware/helmet.js'
import { securityHeaders } from '../../dist/middleware/security-headers.js'

/** The fields of helmet 8 without its CSP and X-Download-Options, and CORS. */
export const secured = (app) =>
  app
    .use(helmet({ contentSecurityPolicy: false }))
    .use(securityHeaders())
    .use(cors())

/** The same fields for those who set them by hand, as pairs; the benchmark says so when they differ. */
export const SECURITY = [
  ['access-control-allow-origin', '*'],
  ['cross-origin-opener-policy', 'same-origin'],
  ['cross-origin-resource-policy', 'same-origin'],
  ['origin-agent-cluster', '?1'],
  ['referrer-policy', 'no-referrer'],
  ['strict-transport-security', 'max-age=31536000; includeSubDomains'],
  ['x-content-type-options', 'nosniff'],
  ['x-dns-prefetch-control', 'off'],
  ['x-frame-options', 'SAMEORIGIN'],
  ['x-permitted-cross-domain-policies', 'none'],
  ['x-xss-protection', '0'],
]
