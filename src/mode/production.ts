/** See `development.ts`. */
export const DEV: boolean = false
