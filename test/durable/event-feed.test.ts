import { afterEach, expect, it, vi } from "vitest";
import { EventFeed } from "../../src/durable/event-feed";
import type { SessionEvent } from "../../src/shared/events";

afterEach(() => {
	vi.useRealTimers();
});

function feedOf(events: SessionEvent[]) {
	const feed = new EventFeed({
		eventsAfter: (seq, { maxEvents }) => events.filter((event) => event.seq > seq).slice(0, maxEvents),
	});
	return {
		feed,
		add(type: SessionEvent["type"]) {
			events.push({ seq: events.length + 1, turnId: "s.1", type, data: {} });
			feed.announce();
		},
	};
}

const reading = (stream: ReadableStream<Uint8Array>) => {
	const reader = stream.getReader();
	const decoder = new TextDecoder();
	return {
		next: async () => decoder.decode((await reader.read()).value),
		cancel: () => reader.cancel(),
	};
};

it("sends a comment to who waits, so that nothing between takes the connection for dead", async () => {
	vi.useFakeTimers();
	const { feed, add } = feedOf([]);
	const client = reading(feed.watch({ after: 0 }));
	expect(await client.next()).toBe("retry: 1000\n\n");
	vi.advanceTimersByTime(20_000);
	expect(await client.next()).toBe(":\n\n");
	add("turn-start");
	expect(await client.next()).toContain("id: 1\nevent: turn-start\n");
});

it("leaves no timer when nobody watches any more", async () => {
	vi.useFakeTimers();
	const { feed, add } = feedOf([]);
	const [first, second] = [reading(feed.watch({ after: 0 })), reading(feed.watch({ after: 0, turnId: "s.1" }))];
	expect(vi.getTimerCount()).toBe(1);
	await first.cancel();
	await second.next();
	add("turn-end");
	expect(await second.next()).toContain("turn-end");
	expect(vi.getTimerCount()).toBe(0);
	reading(feed.watch({ after: 0 }));
	feed.close();
	expect(vi.getTimerCount()).toBe(0);
});
