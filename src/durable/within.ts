/** What `work` comes to, or undefined when it takes longer than `ms`; it goes on nevertheless. */
export async function within<Result>(ms: number, work: Promise<Result>): Promise<Result | undefined> {
	const { promise: late, resolve } = Promise.withResolvers<undefined>();
	const timer = setTimeout(resolve, ms);
	try {
		return await Promise.race([work, late]);
	} finally {
		clearTimeout(timer);
	}
}
