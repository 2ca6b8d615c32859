import { type AppErrorCode, statusOf } from "../shared/errors";

/** References to the shared error answers that `openapi.ts` defines, one for each status. */
export const errorAnswers = (codes: readonly AppErrorCode[]) =>
	Object.fromEntries(codes.map((code) => [statusOf[code], { $ref: `#/components/responses/${statusOf[code]}` }]));

/** What every route that takes a body may answer. */
export const bodyErrors: readonly AppErrorCode[] = ["invalid_input", "too_large", "unsupported_media_type"];
