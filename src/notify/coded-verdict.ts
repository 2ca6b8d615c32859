import * as z from "zod";
import type { PartVerdict } from "./notifier";
import { type CodeMeanings, failed, readJson, succeeded, unparseable } from "./verdict";

/** A code as providers write it: a number, or a number in quotes. */
export const providerCode = z.union([z.number(), z.string()]).transform(String);

const robotAnswer = z.looseObject({ errcode: providerCode, errmsg: z.string().nullish() });

/** WeCom and DingTalk: HTTP 200 whatever happened, and `errcode` 0 alone means delivered. */
export function robotVerdict(meanings: CodeMeanings) {
	return (status: number, headers: Headers, text: string): PartVerdict => {
		const answer = readJson(robotAnswer, text);
		if (!answer) return unparseable({ status, headers, text });
		if (answer.errcode === "0" && status === 200) return succeeded(status, { code: "0", message: answer.errmsg });
		return failed(
			{ status, headers },
			{ code: answer.errcode, message: answer.errmsg ?? undefined, meaning: meanings[answer.errcode] },
		);
	};
}
