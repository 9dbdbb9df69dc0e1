/** Nothing to do: the console of this runtime takes no form of ours. A function that bundlers remove with its calls. */
export function showContext(_Class: unknown): void {}
