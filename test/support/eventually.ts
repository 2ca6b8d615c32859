/** Asks until the answer is as wished; the test's own time limit ends what never is. */
export async function eventually<Answer>(
	ask: () => Promise<Answer> | Answer,
	wished: (answer: Answer) => boolean,
): Promise<Answer> {
	for (;;) {
		const answer = await ask();
		if (wished(answer)) return answer;
		await new Promise((resolve) => setTimeout(resolve, 20));
	}
}
