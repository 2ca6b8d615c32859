import * as z from "zod";
import type { SearchHit } from "./engine";
import { plainText } from "./plain-text";

const topic = z.object({ Text: z.string().nullish(), FirstURL: z.string().nullish(), Result: z.string().nullish() });

/** Only what is read of it; fields of the wrong kind (an empty object for no answer) count as absent. */
export const instantAnswer = z.object({
	Heading: z.string().nullish().catch(null),
	AbstractText: z.string().nullish().catch(null),
	AbstractURL: z.string().nullish().catch(null),
	Answer: z.string().nullish().catch(null),
	Definition: z.string().nullish().catch(null),
	DefinitionURL: z.string().nullish().catch(null),
	Results: z.array(topic).nullish().catch(null),
	RelatedTopics: z
		.array(topic.extend({ Topics: z.array(topic).nullish() }))
		.nullish()
		.catch(null),
});

/** The instant answer as hits: the answer itself first, then what is related. */
export async function instantHits(answer: z.output<typeof instantAnswer>): Promise<SearchHit[]> {
	const title = answer.Heading || "Answer";
	const direct = [
		{ title, url: answer.AbstractURL ?? "", snippet: answer.Answer ?? "" },
		{ title, url: answer.AbstractURL ?? "", snippet: answer.AbstractText ?? "" },
		{ title: `${title} (definition)`, url: answer.DefinitionURL ?? "", snippet: answer.Definition ?? "" },
	].filter(({ snippet }) => snippet !== "");
	const topics = [
		...(answer.Results ?? []),
		...(answer.RelatedTopics ?? []).flatMap(({ Topics, ...own }) => Topics ?? [own]),
	];
	return [...direct, ...(await Promise.all(topics.map(topicHit)))];
}

/** The title of a topic stands only in its HTML, as the text of its link. */
async function topicHit({ Text, FirstURL, Result }: z.output<typeof topic>): Promise<SearchHit> {
	const text = await plainText(Text ?? "");
	const linked = await plainText(/<a\b[^<>]*>([^<]*)<\/a>/i.exec(Result ?? "")?.[1] ?? "");
	if (linked === "" || !text.startsWith(linked)) return { title: linked || text, url: FirstURL ?? "", snippet: text };
	return { title: linked, url: FirstURL ?? "", snippet: text.slice(linked.length).replace(/^[\s–-]+/, "") };
}
