import {
	idText,
	metaOf,
	type NotificationMessage,
	type RequestMessage,
	type ResponseMessage,
	rawOf,
	withValues,
} from "./message";

const tokenPath = ["params", "_meta", "progressToken"];
const subscriptionKey = "io.modelcontextprotocol/subscriptionId";
export const listenMethod = "subscriptions/listen";

/** A client's request under our id, which is its progress token too, if it has one. */
export function requestForServer(request: RequestMessage, id: number): string {
	const edits = [{ path: ["id"], value: String(id) }];
	if (idText(metaOf(request).progressToken)) edits.push({ path: tokenPath, value: String(id) });
	return withValues(request, edits);
}

/** A server's answer under the client's id, written as the client wrote it. */
export function answerForClient(request: RequestMessage, response: ResponseMessage): string {
	const value = rawId(request);
	const edits = [{ path: ["id"], value }];
	if (request.method === listenMethod) edits.push({ path: ["result", "_meta", subscriptionKey], value });
	return withValues(response, edits);
}

/** A sign of progress under the client's token; undefined when the client asked for none. */
export function progressForClient(request: RequestMessage, notification: NotificationMessage): string | undefined {
	const value = rawOf(request, tokenPath);
	return value && withValues(notification, [{ path: ["params", "progressToken"], value }]);
}

/** Our id of the subscription that a notification belongs to, if it does. */
export const subscriptionOf = (notification: NotificationMessage): unknown => metaOf(notification)[subscriptionKey];

/** A notification of a subscription, which goes by the id of the request that opened it. */
export const publicationForClient = (request: RequestMessage, notification: NotificationMessage): string =>
	withValues(notification, [{ path: ["params", "_meta", subscriptionKey], value: rawId(request) }]);

/** A client's wish to cancel a request that the server knows by our id. */
export const cancellationForServer = (notification: NotificationMessage, id: number): string =>
	withValues(notification, [{ path: ["params", "requestId"], value: String(id) }]);

const rawId = (request: RequestMessage): string => rawOf(request, ["id"]) ?? request.id;
