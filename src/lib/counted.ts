/** `1 line`, `2 lines`: a number with its noun. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;
