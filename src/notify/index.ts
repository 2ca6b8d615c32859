import type { ChannelType } from "../shared/channel";
import { dingtalk } from "./dingtalk";
import { discord } from "./discord";
import { feishu } from "./feishu";
import type { Notifier } from "./notifier";
import { pushover } from "./pushover";
import { slack } from "./slack";
import { telegram } from "./telegram";
import { webhook } from "./webhook";
import { wecom } from "./wecom";

/** Every channel type, by its name. */
export const notifiers: Readonly<Record<ChannelType, Notifier>> = {
	feishu,
	wecom,
	dingtalk,
	webhook,
	slack,
	discord,
	telegram,
	pushover,
};
