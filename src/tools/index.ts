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

/** Every tool that comes with the system, aliases included. A new tool is one more line here. */
export const builtins: readonly Tool[] = [
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
];
