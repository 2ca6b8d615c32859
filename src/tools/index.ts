import { fetchWebpage } from "./http/fetch-webpage";
import { httpGet } from "./http/http-get";
import { httpPost } from "./http/http-post";
import { httpRequest } from "./http/http-request";
import { webFetch } from "./http/web-fetch";
import { recallMemory } from "./memory/recall-memory";
import { saveMemory } from "./memory/save-memory";
import { notify } from "./notify/notify";
import { webSearch, webSearchTool } from "./search/web-search";
import { readSkill } from "./skills/read-skill";
import type { Tool } from "./tool";
import { currentTime } from "./utility/current-time";
import { jsonExtract } from "./utility/json-extract";

const tools = [
	currentTime,
	jsonExtract,
	httpGet,
	httpPost,
	httpRequest,
	fetchWebpage,
	webFetch,
	webSearch,
	webSearchTool,
	notify,
	saveMemory,
	recallMemory,
	readSkill,
] as const;

/** The first name that stands twice in a list. */
type Double<List extends readonly Tool[], Seen = never> = List extends readonly [
	infer First extends Tool,
	...infer Rest extends readonly Tool[],
]
	? First["name"] extends Seen
		? First["name"]
		: Double<Rest, Seen | First["name"]>
	: never;

/** Every tool that comes with the system, aliases included. A new tool is one more line above; two of one name do not compile. */
export const builtins: [Double<typeof tools>] extends [never] ? readonly Tool[] : Double<typeof tools> = tools;
