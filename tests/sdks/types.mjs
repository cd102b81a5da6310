// Prints, for each type, the JSON Schema of zod and what openai-node sends for it as a strict tool.
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

const found = {};
for (const [name, type] of Object.entries(types)) {
  const entry = { schema: z.toJSONSchema(type, { io: "input" }) };
  try {
    entry.sdk = zodFunction({ name, parameters: type }).function.parameters;
  } catch (error) {
    entry.refused = String(error.message).split("\n")[0];
  }
  found[name] = entry;
}
console.log(JSON.stringify(found));
