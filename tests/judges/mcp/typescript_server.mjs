// A server of the official TypeScript SDKs for the example `checking`: typescript_server.mjs SDK [http | sessions | modern]
//
// SDK is `v1` (@modelcontextprotocol/sdk) or `v2` (@modelcontextprotocol/server). Serves over stdio, or over streamable HTTP on a free
// loopback port, whose URL it prints. v2 has the sessions of the revisions until 2025-11-25 only with `sessions`, and with `modern`, it serves over stdio
// and rejects the handshake of these revisions. The tools are those of python_server.py.
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import process from "node:process";
import * as z from "zod";

const [sdk, transport] = process.argv.slice(2);
const counts = { booked: 0, cancelled: 0 };
let hasGrown = false;
// Reports a changed list to the subscribers of v2 over HTTP, whose requests have a server each.
let notify = () => {};

const text = (text) => ({ content: [{ type: "text", text }] });
const guest = z.object({ name: z.string(), nights: z.number().int().min(1).max(30) });
const form = {
  message: "Who stays?",
  requestedSchema: {
    type: "object",
    properties: { name: { type: "string" }, nights: { type: "integer", minimum: 1, maximum: 30 } },
    required: ["name", "nights"],
  },
};

// The differences between the SDKs: the shape of schemas, the context of a call, and questions.
const dialect = {
  v1: {
    schema: (shape) => shape,
    signal: (context) => context.signal,
    notify: (context, notification) => context.sendNotification(notification),
    token: (context) => context._meta?.progressToken,
    ask: async (server) => (await server.server.elicitInput(form)).content,
  },
  v2: {
    schema: (shape) => z.object(shape),
    signal: (context) => context.mcpReq.signal,
    notify: (context, notification) => context.mcpReq.notify(notification),
    token: (context) => context.mcpReq._meta?.progressToken,
    ask: async (_, context) => {
      const { acceptedContent } = await import("@modelcontextprotocol/server");
      return acceptedContent(context.mcpReq.inputResponses, "guest", guest);
    },
  },
}[sdk];

function register(server) {
  const tool = (name, description, shape, run, output) =>
    server.registerTool(
      name,
      { description, inputSchema: dialect.schema(shape), ...(output && { outputSchema: dialect.schema(output) }) },
      run,
    );
  tool("add", "Adds two numbers.", { a: z.number(), b: z.number() }, async ({ a, b }) => ({ ...text(`${a + b}`), structuredContent: { sum: a + b } }), { sum: z.number() });
  tool("book_room", "Books a room.", { guest: z.string().min(1), nights: z.number().int().min(1).max(30) }, async ({ guest, nights }) => {
    counts.booked += 1;
    return text(`${guest} stays for ${nights} nights.`);
  });
  tool("count", "Counts to a number.", { to: z.number().int() }, async ({ to }, context) => {
    for (let progress = 0; progress <= to; progress += 1) {
      const params = { progressToken: dialect.token(context), progress, total: to, message: `step ${progress}` };
      await dialect.notify(context, { method: "notifications/progress", params });
    }
    return text("counted");
  });
  tool("wait", "Waits until it is cancelled.", {}, async (_, context) => {
    await new Promise((resolve) => {
      const timer = setTimeout(resolve, 60_000);
      dialect.signal(context).addEventListener("abort", () => {
        counts.cancelled += 1;
        clearTimeout(timer);
        resolve();
      });
    });
    return text("waited");
  });
  tool("counted", "Returns the number of rooms that were booked, or of calls that were cancelled.", { what: z.string() }, async ({ what }) => text(`${counts[what]}`));
  tool("reject", "Always fails.", {}, async () => {
    throw new Error("The account is closed.");
  });
  const grown = () => tool("grown", "Is new.", {}, async () => text("grown"));
  tool("grow", "Adds the tool `grown`.", {}, async () => {
    hasGrown = true;
    grown();
    notify();
    return text("more tools");
  });
  tool("ask", "Asks for a guest.", {}, async (_, context) => {
    const answer = await dialect.ask(server, context);
    if (answer) return text(`${answer.name} stays for ${answer.nights} nights.`);
    const { inputRequired } = await import("@modelcontextprotocol/server");
    return inputRequired({ inputRequests: { guest: inputRequired.elicit(form) } });
  });
  if (hasGrown) grown();
  return server;
}

const information = [{ name: "checks", version: "1.0.0" }, { instructions: "Try every tool.", capabilities: { tools: { listChanged: true } } }];

// Serves until the standard input ends.
function listen(handle) {
  const http = createServer(handle).listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${http.address().port}/mcp`));
  process.stdin.resume().on("end", () => process.exit(0));
}

// Serves each session of the revisions until 2025-11-25 with a server of its own.
function listenForSessions(build, Transport) {
  const sessions = new Map();
  listen(async (request, response) => {
    let session = sessions.get(request.headers["mcp-session-id"]);
    if (!session) {
      session = new Transport({ sessionIdGenerator: randomUUID, onsessioninitialized: (id) => sessions.set(id, session) });
      await build().connect(session);
    }
    await session.handleRequest(request, response);
  });
}

if (sdk === "v1") {
  const { McpServer } = await import("@modelcontextprotocol/sdk/server/mcp.js");
  const build = () => register(new McpServer(...information));
  if (transport === "http") {
    const { StreamableHTTPServerTransport } = await import("@modelcontextprotocol/sdk/server/streamableHttp.js");
    listenForSessions(build, StreamableHTTPServerTransport);
  } else {
    const { StdioServerTransport } = await import("@modelcontextprotocol/sdk/server/stdio.js");
    await build().connect(new StdioServerTransport());
  }
} else {
  const { McpServer, createMcpHandler } = await import("@modelcontextprotocol/server");
  const build = () => register(new McpServer(...information));
  if (transport === "http") {
    const { toNodeHandler } = await import("@modelcontextprotocol/node");
    const handler = createMcpHandler(build);
    notify = () => handler.notify.toolsChanged();
    listen(toNodeHandler(handler));
  } else if (transport === "sessions") {
    const { NodeStreamableHTTPServerTransport } = await import("@modelcontextprotocol/node");
    listenForSessions(build, NodeStreamableHTTPServerTransport);
  } else {
    const { serveStdio } = await import("@modelcontextprotocol/server/stdio");
    serveStdio(build, { legacy: transport === "modern" ? "reject" : "serve" });
  }
}
