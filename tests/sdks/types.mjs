// Prints, for each type, the JSON Schema of zod and what the SDKs for Node make of it for a tool.
import { transformJSONSchema } from "@anthropic-ai/sdk/lib/transform-json-schema";
import { GoogleGenAI } from "@google/genai";
import { zodFunction } from "openai/helpers/zod";
import { z } from "zod";

const tree = z.object({ value: z.string(), get children() { return z.array(tree); } });
const types = {
  required: z.object({ city: z.string() }),
  optional_nullable: z.object({ city: z.string(), days: z.number().int().nullable() }),
  optional: z.object({ city: z.string(), days: z.number().optional() }),
  default_value: z.object({ city: z.string(), unit: z.string().default("C") }),
  nested: z.object({ place: z.object({ city: z.string() }) }),
  list: z.object({ places: z.array(z.object({ city: z.string() })) }),
  choice: z.object({ unit: z.enum(["C", "F"]) }),
  constant: z.object({ kind: z.literal("a") }),
  tagged_union: z.object({
    shape: z.discriminatedUnion("kind", [
      z.object({ kind: z.literal("circle"), radius: z.number() }),
      z.object({ kind: z.literal("square"), side: z.number() }),
    ]),
  }),
  map: z.object({ counts: z.record(z.string(), z.number()) }),
  bounds: z.object({ age: z.number().min(0).max(150) }),
  text_bounds: z.object({ code: z.string().min(2).max(4) }),
  pattern: z.object({ code: z.string().regex(/^[A-Z]+$/) }),
  items: z.object({ tags: z.array(z.string()).min(1).max(3) }),
  any_value: z.object({ value: z.any() }),
  recursive: tree,
};

// The SDK of Google has no public converter: its request is caught before it is sent.
let sent;
globalThis.fetch = async (_url, { body }) => {
  sent = JSON.parse(body);
  return new Response("{}", { headers: { "content-type": "application/json" } });
};
const google = new GoogleGenAI({ apiKey: "key" });

async function asked(parameters) {
  const functionDeclarations = [{ name: "do_it", description: "Does it.", parameters }];
  await google.models.generateContent({ model: "m", contents: "Hello.", config: { tools: [{ functionDeclarations }] } });
  return sent.tools[0].functionDeclarations[0].parameters;
}

async function attempt(convert) {
  try {
    return await convert();
  } catch (error) {
    return `rejected: ${error.constructor.name}`;
  }
}

const found = {};
for (const [name, type] of Object.entries(types)) {
  const schema = z.toJSONSchema(type, { io: "input" });
  // With `$schema`, the SDK of Google moves the schema to `parametersJsonSchema`.
  const { $schema, ...without } = structuredClone(schema);
  found[name] = {
    schema,
    openai: await attempt(() => zodFunction({ name, parameters: type }).function.parameters),
    anthropic: await attempt(() => transformJSONSchema(structuredClone(schema))),
    google: await attempt(() => asked(without)),
  };
}
console.log(JSON.stringify(found));
