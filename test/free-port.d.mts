/** A TCP port of this machine that was free a moment ago. */
export declare const freePort: () => Promise<number>
