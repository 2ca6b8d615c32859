import { expect, it } from "vitest";
import { asAttachment } from "../../src/routes/content-type";

it.each([
	["note.txt", "attachment; filename=\"note.txt\"; filename*=UTF-8''note.txt"],
	[
		'a"b\r\nSet-Cookie: x',
		"attachment; filename=\"a_b__Set-Cookie_ x\"; filename*=UTF-8''a%22b%0D%0ASet-Cookie%3A%20x",
	],
	["潮'*.txt", "attachment; filename=\"___.txt\"; filename*=UTF-8''%E6%BD%AE%27%2A.txt"],
	["half\ud800", "attachment; filename=\"half_\"; filename*=UTF-8''half%EF%BF%BD"],
])("a file named %j is saved by a name that breaks no header", (name, header) => {
	expect(asAttachment(name)).toBe(header);
});
