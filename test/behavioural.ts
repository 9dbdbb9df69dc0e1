/** Files whose assertions hold with either pair of classes; they run once with each. */
export const behavioural: readonly string[] = [
  'test/kernel/{invariants,prepare}.test.ts',
  'test/{app,app-types,channel,context,errors,middleware-contract,routing,finalizers}.test.ts',
  'test/respond/**/*.test.ts',
  'test/contract/**/*.test.ts',
  'test/{accepts,client,context-storage,health,metrics,route-pattern,testing,tracing}.test.ts',
  'test/client/**/*.test.ts',
  'test/advisories/{f1,f5,f11,review}-*.test.ts',
  'test/openapi/{route,steps}.test.ts',
  'test/middleware/{api-version,auth,body-limit,body-parser,cache,cache-control,combine,csrf,etag,idempotency,ip-restriction,json-format,jwt,language,load-shedding,logger,method-override,pretty-json,request-id,sanitizer,server-timing,session,timeout,trailing-slash,validator,webhook}.test.ts',
  'test/adapter/**/*.test.ts',
]
