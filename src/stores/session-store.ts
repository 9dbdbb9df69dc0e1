export type { SealedSessionStore, SessionData, SessionStore } from '../internal/session/session-store.ts'
