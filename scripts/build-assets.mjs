// Lays out dist/assets, what the Worker serves as files. Plain JavaScript, because wrangler runs it with whatever node there is.
import { copyFileSync, mkdirSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const viewer = path.dirname(createRequire(import.meta.url).resolve("swagger-ui-dist/package.json"));
const target = path.join(root, "dist", "assets", "docs");

mkdirSync(target, { recursive: true });
for (const file of ["swagger-ui-bundle.js", "swagger-ui.css", "favicon-32x32.png"]) {
	copyFileSync(path.join(viewer, file), path.join(target, file));
}
const page = path.join(root, "web", "docs");
for (const file of readdirSync(page)) copyFileSync(path.join(page, file), path.join(target, file));
