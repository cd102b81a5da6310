// The official TypeScript SDK as a client of a guarded server: client.mjs PROGRAM [ARGUMENT]...
//
// The checks are those of client.py.
import process from "node:process";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

let failed = 0;
function check(name, holds, detail) {
  console.log(`${holds ? "ok  " : "FAIL"} ${name}${holds ? "" : `: ${JSON.stringify(detail)}`}`);
  failed += holds ? 0 : 1;
}
const text = (result) => result.content.filter((part) => part.type === "text").map((part) => part.text).join("\n");

const [command, ...args] = process.argv.slice(2);
const client = new Client({ name: "checks", version: "1.0.0" });
await client.connect(new StdioClientTransport({ command, args, env: process.env }));
const call = (name, args) => client.callTool({ name, arguments: args });

const { tools } = await client.listTools();
check("the tools of the server are listed", tools.some((tool) => tool.name === "book_room"), tools);
let result = await call("book_room", { guest: "Ada", nights: 3 });
check("a good call has its result", !result.isError && text(result).includes("3 nights"), result);
result = await call("bookRoom", { guest: "Ada", nights: "3" });
check("a call with another spelling and a number in quotes is repaired", !result.isError && text(result).includes("3 nights"), result);
result = await call("book_room", { nights: 90 });
const answer = text(result);
check("a wrong call is answered with every issue", result.isError === true && ["was not run", "guest", "at most 30"].every((part) => answer.includes(part)), answer);
await client.close();
process.exit(failed > 0 ? 1 : 0);
