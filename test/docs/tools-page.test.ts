import { expect, it } from "vitest";
import { builtins } from "../../src/tools";
import { toolsPage } from "./tools-page";

it("is what the code says; `npm run docs` writes it anew", async () => {
	await expect(toolsPage(builtins)).toMatchFileSnapshot("../../docs/built-in-tools.md");
});
