type Self<T> = T

/** One object. Through `Self`, editors show its members and not `Simplify<A & B>`. */
export type Simplify<T> = Self<{ [Key in keyof T]: T[Key] }>
