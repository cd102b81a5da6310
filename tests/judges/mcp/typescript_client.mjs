// The official TypeScript SDKs as clients of the example `checked`: typescript_client.mjs SDK SERVER [REVISION]
//
// SDK is `v1` (@modelcontextprotocol/sdk) or `v2` (@modelcontextprotocol/client). SERVER is a program that serves over stdio, or the URL of a
// server. Without the REVISION 2026-07-28, which only v2 knows, the client begins with the initialize handshake. Both clients check structured content against the output schema, and throw if it is missing or does not fit.
import process from "node:process";

const [sdk, server, revision] = process.argv.slice(2);
const modules = {
  v1: ["@modelcontextprotocol/sdk/client/index.js", "@modelcontextprotocol/sdk/client/stdio.js", "@modelcontextprotocol/sdk/client/streamableHttp.js"],
  v2: ["@modelcontextprotocol/client", "@modelcontextprotocol/client/stdio", "@modelcontextprotocol/client"],
}[sdk];
const [{ Client }, { StdioClientTransport }, { StreamableHTTPClientTransport }] = await Promise.all(modules.map((name) => import(name)));

let failed = 0;
function check(name, holds, detail) {
  console.log(`${holds ? "ok  " : "FAIL"} ${name}${holds ? "" : `: ${JSON.stringify(detail)}`}`);
  failed += holds ? 0 : 1;
}
const text = (result) => result.content.filter((part) => part.type === "text").map((part) => part.text).join("\n");

const isModern = revision === "2026-07-28";
const client = new Client({ name: "checks", version: "1.0.0" }, isModern ? { versionNegotiation: { mode: { pin: revision } } } : {});
let changes = 0;
client.fallbackNotificationHandler = async ({ method }) => {
  changes += method === "notifications/tools/list_changed" ? 1 : 0;
};
const url = server.includes("://");
await client.connect(url ? new StreamableHTTPClientTransport(new URL(server)) : new StdioClientTransport({ command: server }));
const call = (name, args, options) =>
  sdk === "v1" ? client.callTool({ name, arguments: args }, undefined, options) : client.callTool({ name, arguments: args }, options);

let result = await client.listTools();
check("the list has the tools and the container", ["add", "book_room", "Math"].every((name) => result.tools.some((tool) => tool.name === name)), result);

result = await call("add", { a: 19.5, b: 22.5 });
check("structured content is accepted by the client", result.structuredContent?.sum === 42 && text(result).includes("42"), result);
result = await call("count_days", { days: 9 });
check("a result that does not fit its schema is an error, and the client does not throw", result.isError === true && text(result).includes("days"), result);

result = await call("book_room", { nights: 90 });
const answer = text(result);
check("a bad call is an error with every issue", result.isError === true && answer.includes("guest") && answer.includes("at most 30"), answer);
// The corrected call is the last line. A number takes the maximum of its placeholder, another value is "Ada".
const corrected = answer.split("\n").at(-1).replace(/<integer from \d+ to (\d+)>/, "$1").replace(/<[^>]*>/g, '"Ada"');
result = await call("book_room", JSON.parse(corrected).arguments);
check("the call is corrected from the hint", !result.isError && text(result).includes("30 nights"), result);

const steps = [];
result = await call("count", { to: 4 }, { onprogress: ({ progress, total }) => steps.push([progress, total]) });
check("progress arrives in order", JSON.stringify(steps) === "[[0,4],[1,4],[2,4],[3,4],[4,4]]", steps);

const ended = async (question) => Number(text(await call("ended", { question })));
// Repeats a question until the answer is the expected one, for at most 5 s.
async function until(expected, question) {
  let answer = await question(0);
  for (let attempt = 1; attempt < 100 && answer !== expected; attempt += 1) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    answer = await question(attempt);
  }
  return answer;
}
const before = await ended(-1);
const controller = new AbortController();
const waiting = call("wait", {}, { signal: controller.signal }).then(() => "ended", () => "aborted");
setTimeout(() => controller.abort(), 200);
check("a call is cancelled", (await waiting) === "aborted");
check("the server ends a cancelled call", (await until(before + 1, ended)) === before + 1, await ended(-2));
result = await call("chart", {});
check("an image arrives beside text", result.content.map((part) => part.type).join() === "text,image", result);
result = await call("reject", {});
check("an error of a tool is a result", result.isError === true && text(result).includes("The account is closed."), result);

const unknown = await call("book_rom", {}).catch((error) => error);
check("an unknown tool is a protocol error with a suggestion", unknown.code === -32602 && unknown.message.includes("book_room"), unknown);
if (!isModern) {
  result = await call("multiply", { a: 6, b: 7 });
  check("a hidden member is a result that says so", result.isError === true && text(result).includes("Math"), result);
}
result = await call("Math", {});
check("the container is expanded", !result.isError && text(result).includes("multiply"), result);
const listed = (await client.listTools()).tools.some((tool) => tool.name === "multiply");
check("the list has the member only in a connection", listed === !isModern, listed);
check("a changed list is announced only in a connection", (await until(isModern ? 0 : 1, () => changes)) === (isModern ? 0 : 1), changes);
result = await call("multiply", { a: 6, b: 7 });
check("a member runs", !result.isError && text(result).includes("42"), result);

await client.close();
console.log(`${failed} checks failed`);
process.exit(failed ? 1 : 0);
