/**
 * Whether mistakes of the application's author are looked for, with texts that say what to do. What protects an
 * application that runs never depends on it. Chosen by the conditions of package.json; each build holds it as a
 * literal.
 */
export const DEV: boolean = true
