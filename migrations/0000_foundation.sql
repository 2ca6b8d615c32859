-- llm_calls and sessions are small rows found by their text key: WITHOUT ROWID (added by hand) saves the second row that such a key costs.
CREATE TABLE `agents` (
	`name` text PRIMARY KEY NOT NULL,
	`description` text NOT NULL,
	`profile_json` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `config_version` (
	`id` integer PRIMARY KEY NOT NULL,
	`version` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `idempotency_keys` (
	`principal` text NOT NULL,
	`key` text NOT NULL,
	`body_digest` text NOT NULL,
	`turn_id` text NOT NULL,
	`created_at` integer DEFAULT (unixepoch() * 1000) NOT NULL,
	PRIMARY KEY(`principal`, `key`)
);
--> statement-breakpoint
CREATE TABLE `llm_calls` (
	`id` text PRIMARY KEY NOT NULL,
	`session_id` text,
	`turn_id` text,
	`agent` text NOT NULL,
	`provider` text NOT NULL,
	`model` text NOT NULL,
	`input_tokens` integer,
	`output_tokens` integer,
	`cached_input_tokens` integer,
	`reasoning_tokens` integer,
	`finish_reason` text,
	`success` integer NOT NULL,
	`code` text,
	`error_message` text,
	`attempts` integer NOT NULL,
	`duration_ms` integer NOT NULL,
	`created_at` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `memories` (
	`id` text PRIMARY KEY NOT NULL,
	`agent` text NOT NULL,
	`principal` text NOT NULL,
	`category` text NOT NULL,
	`key` text,
	`content` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `memories_agent` ON `memories` (`agent`,`category`,`created_at`);--> statement-breakpoint
CREATE TABLE `notify_channels` (
	`name` text PRIMARY KEY NOT NULL,
	`type` text NOT NULL,
	`url` text NOT NULL,
	`url_shown` text NOT NULL,
	`secret` text,
	`description` text DEFAULT '' NOT NULL,
	`config_json` text NOT NULL,
	`enabled` integer DEFAULT true NOT NULL,
	`is_default` integer DEFAULT false NOT NULL,
	`last_status` text,
	`last_code` text,
	`last_error` text,
	`last_delivered_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `notify_deliveries` (
	`id` text PRIMARY KEY NOT NULL,
	`channel` text NOT NULL,
	`session_id` text,
	`agent` text,
	`content` text NOT NULL,
	`verdict_json` text NOT NULL,
	`status` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `notify_deliveries_channel` ON `notify_deliveries` (`channel`,`created_at`);--> statement-breakpoint
CREATE TABLE `sandbox_whitelist` (
	`category` text NOT NULL,
	`value` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`category`, `value`)
);
--> statement-breakpoint
CREATE TABLE `secrets` (
	`name` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL,
	`hint` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`agent` text NOT NULL,
	`principal` text NOT NULL,
	`title` text NOT NULL,
	`turns` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `sessions_updated` ON `sessions` (`updated_at`);--> statement-breakpoint
CREATE TABLE `settings` (
	`key` text PRIMARY KEY NOT NULL,
	`value_json` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `skills` (
	`name` text PRIMARY KEY NOT NULL,
	`description` text NOT NULL,
	`content` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `tokens` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`hash` text NOT NULL,
	`role` text NOT NULL,
	`permissions_json` text NOT NULL,
	`default_agent` text,
	`created_at` integer NOT NULL,
	`expires_at` integer
);
--> statement-breakpoint
CREATE TABLE `tool_invocations` (
	`id` text PRIMARY KEY NOT NULL,
	`session_id` text,
	`tool_name` text NOT NULL,
	`input_json` text NOT NULL,
	`result_json` text,
	`success` integer,
	`error_message` text,
	`duration_ms` integer,
	`created_at` integer NOT NULL,
	`agent` text,
	`turn_id` text,
	`principal` text NOT NULL,
	`code` text,
	`gate` text,
	`argument_digest` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `tool_invocations_session` ON `tool_invocations` (`session_id`) WHERE session_id IS NOT NULL;--> statement-breakpoint
CREATE TABLE `tool_policies` (
	`scope` text NOT NULL,
	`name` text NOT NULL,
	`value_json` text NOT NULL,
	PRIMARY KEY(`scope`, `name`)
);
