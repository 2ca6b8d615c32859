import { AppError } from "../shared/errors";
import { fromBase64, sha256Hex, toBase64Url } from "./hash";

interface SealingKey {
	readonly id: string;
	readonly key: CryptoKey;
}

// The key and no promise of it: on Workers a promise may not be awaited by another request.
let cached: (SealingKey & { readonly masterKey: string }) | undefined;

/**
 * Encrypts a text for one place: `aad` is `table|row|column`, and the result opens only there.
 * AES-256-GCM with a fresh IV, as `v1.<key id>.<IV and ciphertext>`.
 */
export async function seal(masterKey: string, aad: string, plain: string): Promise<string> {
	const { id, key } = await deriveKey(masterKey);
	const iv = crypto.getRandomValues(new Uint8Array(12));
	const encrypted = await crypto.subtle.encrypt(parameters(iv, aad, id), key, new TextEncoder().encode(plain));
	const joined = new Uint8Array(iv.length + encrypted.byteLength);
	joined.set(iv);
	joined.set(new Uint8Array(encrypted), iv.length);
	return `v1.${id}.${toBase64Url(joined)}`;
}

/** Decrypts what `seal` made. Throws `misconfigured` when the key is another one, or the text was moved or changed. */
export async function open(masterKey: string, aad: string, sealed: string): Promise<string> {
	const { id, key } = await deriveKey(masterKey);
	const [version, sealedWith, body = ""] = sealed.split(".");
	if (version !== "v1") throw new AppError("misconfigured", "A stored secret has an unknown format.");
	if (sealedWith !== id) {
		throw new AppError(
			"misconfigured",
			`A stored secret was sealed with another ORYX_MASTER_KEY (id ${sealedWith}, now ${id}).`,
		);
	}
	try {
		const joined = fromBase64(body);
		const plain = await crypto.subtle.decrypt(parameters(joined.slice(0, 12), aad, id), key, joined.slice(12));
		return new TextDecoder().decode(plain);
	} catch (cause) {
		throw new AppError("misconfigured", "A stored secret does not open: it was changed or moved.", { cause });
	}
}

/** What every text begins with that this key has sealed; tells a changed key without opening anything. */
export const sealedPrefix = async (masterKey: string): Promise<string> => `v1.${(await deriveKey(masterKey)).id}.`;

const parameters = (iv: Uint8Array<ArrayBuffer>, aad: string, keyId: string) => ({
	name: "AES-GCM",
	iv,
	additionalData: new TextEncoder().encode(`${aad}|${keyId}`),
});

async function deriveKey(masterKey: string): Promise<SealingKey> {
	if (cached?.masterKey === masterKey) return cached;
	const raw = readMasterKey(masterKey);
	const master = await crypto.subtle.importKey("raw", raw, "HKDF", false, ["deriveKey"]);
	const info = new TextEncoder().encode("oryx-edge seal v1");
	const hkdf = { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(32), info };
	const aes = { name: "AES-GCM", length: 256 };
	const key = await crypto.subtle.deriveKey(hkdf, master, aes, false, ["encrypt", "decrypt"]);
	const id = (await sha256Hex(`oryx-edge key id|${masterKey}`)).slice(0, 8);
	cached = { masterKey, id, key };
	return cached;
}

function readMasterKey(masterKey: string): Uint8Array<ArrayBuffer> {
	const wrong = new AppError(
		"misconfigured",
		"ORYX_MASTER_KEY must be 32 bytes in base64, as `openssl rand -base64 32` prints.",
	);
	if (!/^[A-Za-z0-9+/_-]{43}=?$/.test(masterKey)) throw wrong;
	return fromBase64(masterKey);
}
