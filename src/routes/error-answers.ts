import { type AppErrorCode, statusOf } from "../shared/errors";

/** References to the shared error answers that `openapi.ts` defines, one for each status. */
export const errorAnswers = (codes: readonly AppErrorCode[]) =>
	Object.fromEntries(codes.map((code) => [statusOf[code], { $ref: `#/components/responses/${statusOf[code]}` }]));
