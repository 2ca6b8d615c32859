/** What something that goes in steps comes to. */
export function toEnd<Value>(steps: Generator<void, Value, void>): Value {
	for (;;) {
		const step = steps.next();
		if (step.done) return step.value;
	}
}
