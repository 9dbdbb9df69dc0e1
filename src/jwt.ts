export { type SignJwtOptions, signJwt } from './jwt/sign-jwt.ts'
export { type VerifyJwtOptions, verifyJwt } from './jwt/verify-jwt.ts'
