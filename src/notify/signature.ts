import { hmacSha256, toBase64, toHex } from "../lib/hash";

export interface TimedSignature {
	/** Seconds for Feishu, milliseconds for DingTalk. */
	readonly timestamp: string;
	/** Base64, not yet URL-encoded. */
	readonly sign: string;
}

/** Feishu and Lark: time and secret are the key, and the message is empty. */
export async function feishuSignature(secret: string, at: Date): Promise<TimedSignature> {
	const timestamp = String(Math.floor(at.getTime() / 1000));
	return { timestamp, sign: toBase64(await hmacSha256(`${timestamp}\n${secret}`, "")) };
}

/** DingTalk: the secret is the key, time and secret are the message. */
export async function dingtalkSignature(secret: string, at: Date): Promise<TimedSignature> {
	const timestamp = String(at.getTime());
	return { timestamp, sign: toBase64(await hmacSha256(secret, `${timestamp}\n${secret}`)) };
}

/** `sha256=` and the hex HMAC of the raw body. */
export const bodySignature = async (secret: string, body: string): Promise<string> =>
	`sha256=${toHex(await hmacSha256(secret, body))}`;
