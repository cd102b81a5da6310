// The official TypeScript SDKs as clients of several published servers behind one proxy: group_client.mjs SDK SERVER FOLDER [REVISION]
//
// SDK is `v1` (@modelcontextprotocol/sdk) or `v2` (@modelcontextprotocol/client). SERVER is a program that serves over stdio, or a URL. The servers are
// `clock`, `everything`, `files` and `memory`; `files` is a container, and long results are kept. FOLDER has the file long.txt. Without the REVISION
// 2026-07-28, which only v2 knows, the client begins with the handshake. Prints a line for each check; the exit code is 1 if one fails.
import { readFileSync } from "node:fs";
import process from "node:process";

const [sdk, server, folder, revision] = process.argv.slice(2);
const modules = {
  v1: ["@modelcontextprotocol/sdk/client/index.js", "@modelcontextprotocol/sdk/client/stdio.js", "@modelcontextprotocol/sdk/client/streamableHttp.js"],
  v2: ["@modelcontextprotocol/client", "@modelcontextprotocol/client/stdio", "@modelcontextprotocol/client"],
}[sdk];
const [{ Client }, { StdioClientTransport }, { StreamableHTTPClientTransport }] = await Promise.all(modules.map((name) => import(name)));

let failed = 0;
function check(name, holds, detail) {
  console.log(`${holds ? "ok  " : "FAIL"} ${name}${holds ? "" : `: ${JSON.stringify(detail)?.slice(0, 600)}`}`);
  failed += holds ? 0 : 1;
}
const text = (result) => result.content.filter((part) => part.type === "text").map((part) => part.text).join("\n");

const isModern = revision === "2026-07-28";
const client = new Client(
  { name: "checks", version: "1.0.0" },
  { capabilities: { sampling: {}, elicitation: { form: {} } }, ...(isModern && { versionNegotiation: { mode: { pin: revision } } }) },
);
const handlers = {
  "sampling/createMessage": async () => ({ role: "assistant", model: "none", content: { type: "text", text: "sampled" } }),
  "elicitation/create": async () => ({ action: "accept", content: { name: "Ada" } }),
};
if (sdk === "v1") {
  const { CreateMessageRequestSchema, ElicitRequestSchema } = await import("@modelcontextprotocol/sdk/types.js");
  client.setRequestHandler(CreateMessageRequestSchema, handlers["sampling/createMessage"]);
  client.setRequestHandler(ElicitRequestSchema, handlers["elicitation/create"]);
} else {
  for (const [method, handler] of Object.entries(handlers)) client.setRequestHandler(method, handler);
}
let changes = 0;
client.fallbackNotificationHandler = async ({ method }) => {
  changes += method === "notifications/tools/list_changed" ? 1 : 0;
};
await client.connect(server.includes("://") ? new StreamableHTTPClientTransport(new URL(server)) : new StdioClientTransport({ command: server, stderr: "inherit" }));
const call = (name, args, options) =>
  sdk === "v1" ? client.callTool({ name, arguments: args }, undefined, options) : client.callTool({ name, arguments: args }, options);
async function until(holds) {
  for (let attempt = 0; attempt < 100 && !(await holds()); attempt += 1) await new Promise((resolve) => setTimeout(resolve, 100));
  return holds();
}
const names = async () => (await client.listTools()).tools.map((tool) => tool.name);

let listed = await names();
check("the list has the tools of all servers and the container", ["clock_convert_time", "everything_get-sum", "memory_read_graph", "files", "read_result"].every((name) => listed.includes(name)), listed);
check("members of the container are hidden", !listed.includes("files_read_text_file"), listed);
let result = await call("clock_convert_time", { source_timezone: "UTC", time: "12:30", target_timezone: "UTC" });
check("a server of the Python SDK answers", !result.isError && text(result).includes("12:30"), result);
result = await call("everything_get-sum", { a: "2", b: 40 });
check("a server of the TypeScript SDK answers a repaired call", !result.isError && text(result).includes("42"), result);

const prompts = (await client.listPrompts()).prompts.map((prompt) => prompt.name);
check("prompts have the prefix of their server", prompts.includes("everything_args-prompt"), prompts);
result = await client.getPrompt({ name: "everything_args-prompt", arguments: { city: "Prague" } });
check("a prompt answers", JSON.stringify(result.messages).includes("Prague"), result);
const resources = (await client.listResources()).resources;
check("resources of two servers are listed", ["demo:", "memory:"].every((scheme) => resources.some(({ uri }) => uri.startsWith(scheme))), resources);
for (const { uri } of resources) {
  result = await client.readResource({ uri });
  check(`${uri} is read from its server`, result.contents[0].uri === uri, result);
}
const templates = (await client.listResourceTemplates()).resourceTemplates;
check("templates are listed", templates.some(({ uriTemplate }) => uriTemplate === "demo://resource/dynamic/text/{resourceId}"), templates);
result = await client.readResource({ uri: "demo://resource/dynamic/text/7" });
check("a resource of a template is read", result.contents[0].text.startsWith("Resource 7"), result);
result = await client.complete({ ref: { type: "ref/prompt", name: "everything_completable-prompt" }, argument: { name: "department", value: "S" } });
check("a completion goes to its server", result.completion.values.join() === "Sales,Support", result);
const steps = [];
await call("everything_trigger-long-running-operation", { duration: 0.4, steps: 4 }, { onprogress: ({ progress, total }) => steps.push([progress, total]) });
// These SDKs handle a notification after an answer that arrives with it, and then no longer know its token. So the last report may be lost.
const wanted = [[1, 4], [2, 4], [3, 4], [4, 4]].slice(0, Math.max(3, steps.length));
check("progress arrives in order", JSON.stringify(steps) === JSON.stringify(wanted), steps);
await until(async () => (await names()).includes("everything_trigger-elicitation-request"));
result = await call("everything_trigger-sampling-request", { prompt: "Say something.", maxTokens: 10 });
check("a server samples", text(result).includes("sampled"), result);
result = await call("everything_trigger-elicitation-request", {});
check("a server asks the user", text(result).includes("Name: Ada"), result);

changes = 0;
result = await call("files", {});
check("the container lists its members", !result.isError && text(result).includes("files_read_text_file"), result);
check("the client learns of the change only in a connection", (await until(() => isModern || changes > 0)) && (!isModern || changes === 0), changes);
listed = await names();
check("the next list has the members only in a connection", listed.includes("files_read_text_file") === !isModern, listed);

result = await call("files_read_text_file", { path: `${folder}/long.txt` });
const [beginning, first] = text(result).split("\n[… Bytes 0 to ");
let [whole, notice, parts] = [beginning, first, 1];
const { handle } = JSON.parse(notice.match(/\{"handle":"[^"]*"/)[0] + "}");
for (let offset; parts < 100 && (offset = notice.match(/"offset":(\d+)/)); parts += 1) {
  const page = text(await call("read_result", { handle, offset: Number(offset[1]) }));
  const at = page.lastIndexOf("\n[… Bytes ");
  whole += page.slice(0, at);
  notice = page.slice(at);
}
check("the parts of a long result are the whole", parts > 2 && whole === readFileSync(`${folder}/long.txt`, "utf8"), { parts, bytes: whole.length });

const controller = new AbortController();
const waiting = call("everything_trigger-long-running-operation", { duration: 30, steps: 2 }, { signal: controller.signal }).then(() => "ended", () => "aborted");
setTimeout(() => controller.abort(), 200);
check("a call is cancelled", (await waiting) === "aborted");
result = await call("everything_get-sum", { a: 1, b: 2 });
check("the group goes on after a cancellation", text(result).includes("3"), result);

await client.close();
console.log(`${failed} checks failed`);
process.exit(failed ? 1 : 0);
