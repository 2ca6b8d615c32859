import { appendFile } from "./files/append-file";
import { copyFile } from "./files/copy-file";
import { deleteAny } from "./files/delete-any";
import { deleteFile } from "./files/delete-file";
import { editFile } from "./files/edit-file";
import { fileEdit, fileRead, fileWrite } from "./files/file-faces";
import {
	listDirectory,
	listDirectoryByFilePath,
	readFileByFilePath,
	writeFileByFilePath,
} from "./files/file-path-faces";
import { glob } from "./files/glob";
import { grep } from "./files/grep";
import { listDir } from "./files/list-dir";
import { makeDir } from "./files/make-dir";
import { moveFile } from "./files/move-file";
import { readFile } from "./files/read-file";
import { replaceFile } from "./files/replace-file";
import { writeFile } from "./files/write-file";
import { downloadFile } from "./http/download-file";
import { fetchWebpage } from "./http/fetch-webpage";
import { httpGet } from "./http/http-get";
import { httpPost } from "./http/http-post";
import { httpRequest } from "./http/http-request";
import { webFetch } from "./http/web-fetch";
import { recallMemory } from "./memory/recall-memory";
import { saveMemory } from "./memory/save-memory";
import { notify } from "./notify/notify";
import { webSearch, webSearchTool } from "./search/web-search";
import { executeCommand, executeCommandByFunction } from "./shell/execute-command";
import { gitOperations } from "./shell/git-operations";
import { shell } from "./shell/shell";
import { readSkill } from "./skills/read-skill";
import type { Tool } from "./tool";
import { currentTime } from "./utility/current-time";
import { jsonExtract } from "./utility/json-extract";

const tools = [
	currentTime,
	jsonExtract,
	readFile,
	readFileByFilePath,
	fileRead,
	writeFile,
	writeFileByFilePath,
	fileWrite,
	editFile,
	replaceFile,
	fileEdit,
	appendFile,
	listDir,
	listDirectory,
	listDirectoryByFilePath,
	glob,
	grep,
	makeDir,
	moveFile,
	copyFile,
	deleteFile,
	deleteAny,
	shell,
	gitOperations,
	executeCommand,
	executeCommandByFunction,
	downloadFile,
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
