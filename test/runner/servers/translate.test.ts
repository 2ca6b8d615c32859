import { describe, expect, it } from "vitest";
import { type NotificationMessage, type RequestMessage, readMessage } from "../../../runner/src/servers/message";
import {
	answerForClient,
	cancellationForServer,
	progressForClient,
	publicationForClient,
	requestForServer,
	subscriptionOf,
} from "../../../runner/src/servers/translate";

const request = (text: string) => readMessage(text) as RequestMessage;
const notification = (text: string) => readMessage(text) as NotificationMessage;
const response = (text: string) => {
	const message = readMessage(text);
	if (message?.kind !== "response") throw new Error(text);
	return message;
};
const key = "io.modelcontextprotocol/subscriptionId";

describe("what goes to a server under our id, and comes back under the client's", () => {
	it("is a request, its progress token included", () => {
		const call = request('{"jsonrpc":"2.0","id":"a","method":"m","params":{"_meta":{"progressToken":"t","x":1.0}}}');
		expect(requestForServer(call, 7)).toBe(
			'{"jsonrpc":"2.0","id":7,"method":"m","params":{"_meta":{"progressToken":7,"x":1.0}}}',
		);
		expect(requestForServer(request('{"jsonrpc":"2.0","id":1,"method":"m"}'), 7)).toBe(
			'{"jsonrpc":"2.0","id":7,"method":"m"}',
		);
	});

	it("is an answer, with the id as the client wrote it", () => {
		const call = request('{"jsonrpc":"2.0","id":"\\u0061","method":"m"}');
		const answer = response('{"result":{"id":7},"jsonrpc":"2.0","id":7}');
		expect(answerForClient(call, answer)).toBe('{"result":{"id":7},"jsonrpc":"2.0","id":"\\u0061"}');
	});

	it("is a sign of progress, if the client asked for it", () => {
		const progress = notification(
			'{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":7,"progress":0.50}}',
		);
		const asking = request('{"jsonrpc":"2.0","id":1,"method":"m","params":{"_meta":{"progressToken":"t"}}}');
		expect(progressForClient(asking, progress)).toBe(progress.text.replace('"progressToken":7', '"progressToken":"t"'));
		expect(progressForClient(request('{"jsonrpc":"2.0","id":1,"method":"m"}'), progress)).toBeUndefined();
	});

	it("is all that belongs to a subscription", () => {
		const listen = request('{"jsonrpc":"2.0","id":"s","method":"subscriptions/listen","params":{}}');
		const change = notification(`{"jsonrpc":"2.0","method":"n","params":{"_meta":{"${key}":7}}}`);
		expect(subscriptionOf(change)).toBe(7);
		expect(publicationForClient(listen, change)).toBe(change.text.replace(":7}", ':"s"}'));
		const end = response(`{"jsonrpc":"2.0","id":7,"result":{"_meta":{"${key}":7}}}`);
		expect(answerForClient(listen, end)).toBe(`{"jsonrpc":"2.0","id":"s","result":{"_meta":{"${key}":"s"}}}`);
	});

	it("is a cancellation", () => {
		const cancel = notification('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"a"}}');
		expect(cancellationForServer(cancel, 7)).toContain('"requestId":7');
	});
});
