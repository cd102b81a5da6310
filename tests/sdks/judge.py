"""Compares the strict definitions of the official SDKs with ours, for the same types.

In: the toolbox program, the page with the reasons, and the JSON that types.mjs prints. Out: the differences. The exit code is 1 if a
difference has no row on the page, or if a row has no difference.
"""

import datetime
import json
import re
import subprocess
import sys
import tempfile
from typing import Annotated, Any, Literal, Optional, Union

import anthropic
import openai
from google.genai import _transformers
from openai.lib._pydantic import to_strict_json_schema
from pydantic import BaseModel, Field


class Place(BaseModel):
    city: str


class Circle(BaseModel):
    kind: Literal["circle"]
    radius: float


class Square(BaseModel):
    kind: Literal["square"]
    side: float


class Tree(BaseModel):
    value: str
    children: list["Tree"]


def model(**fields: Any) -> type[BaseModel]:
    """A model of these fields, each a type or a type with its default."""
    annotations = {name: field[0] if isinstance(field, tuple) else field for name, field in fields.items()}
    defaults = {name: field[1] for name, field in fields.items() if isinstance(field, tuple)}
    return type("Input", (BaseModel,), {"__annotations__": annotations, **defaults})


TYPES = {
    "required": model(city=str),
    "optional_nullable": model(city=str, days=(Optional[int], None)),
    "default_value": model(city=str, unit=(str, "C")),
    "nested": model(place=Place),
    "described_reference": model(place=Annotated[Place, Field(description="Where.")]),
    "list": model(places=list[Place]),
    "choice": model(unit=Literal["C", "F"]),
    "constant": model(kind=Literal["a"]),
    "union": model(shape=Union[Circle, Square]),
    "tagged_union": model(shape=Annotated[Union[Circle, Square], Field(discriminator="kind")]),
    "map": model(counts=dict[str, int]),
    "bounds": model(age=Annotated[int, Field(ge=0, le=150)]),
    "text_bounds": model(code=Annotated[str, Field(min_length=2, max_length=4)]),
    "pattern": model(code=Annotated[str, Field(pattern="^[A-Z]+$")]),
    "date": model(day=datetime.date),
    "items": model(tags=Annotated[list[str], Field(min_length=1, max_length=3)]),
    "tuple": model(pair=tuple[int, str]),
    "any_value": model(value=Any),
    "recursive": Tree,
}


def plain(schema: Any) -> Any:
    """Without texts and without the order of keys: what restricts values."""
    if isinstance(schema, list):
        return [plain(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    kept = {}
    for key, value in schema.items():
        if key in ("properties", "$defs"):
            kept[key] = {name: plain(part) for name, part in value.items()}
        elif key == "required":
            kept[key] = sorted(value)
        elif key not in ("description", "title", "$schema", "propertyOrdering", "property_ordering"):
            kept[key] = plain(value)
    if kept.get("enum") == [kept.get("const")]:
        del kept["enum"]
    return kept


def ours(toolbox: str, schemas: dict[str, Any], dialect: str, key: str) -> dict[str, Any]:
    tools = [{"name": name, "description": "Does it.", "parameters": schema} for name, schema in schemas.items()]
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(tools, file)
        file.flush()
        run = [toolbox, "schema", "--tools", file.name, "--dialect", dialect, "--json"]
        output = subprocess.run(run, capture_output=True, text=True, check=False)
    if not output.stdout:
        sys.exit(f"{run}: {output.stderr}")
    found = {}
    for line in output.stdout.splitlines():
        row = json.loads(line)
        definition = row["definition"] or {}
        for part in key.split("."):
            definition = definition.get(part, {})
        found[row["tool"]] = (row["form"], plain(definition))
    return found


def attempt(convert: Any) -> Any:
    try:
        return convert()
    except Exception as error:  # noqa: BLE001: whatever an SDK raises is its answer
        return f"rejected: {type(error).__name__}"


def lower(part: Any) -> Any:
    """With the types of Google in the case of JSON Schema."""
    if isinstance(part, list):
        return [lower(item) for item in part]
    if isinstance(part, dict):
        return {key: (value.lower() if key == "type" and isinstance(value, str) else lower(value)) for key, value in part.items()}
    return part


def google(schema: Any) -> Any:
    converted = _transformers.t_schema(None, schema)
    return lower(json.loads(converted.model_dump_json(exclude_none=True, by_alias=True)))


def main() -> None:
    toolbox, page, node = sys.argv[1:4]
    schemas = {name: kind.model_json_schema() for name, kind in TYPES.items()}
    zod = json.load(open(node))
    of_zod = {name: entry["schema"] for name, entry in zod.items()}
    sdks = {
        "openai-python": (
            schemas,
            {name: attempt(lambda kind=kind: openai.pydantic_function_tool(kind)["function"]["parameters"]) for name, kind in TYPES.items()},
            ("openai-strict", "function.parameters"),
        ),
        "openai-node": (
            of_zod,
            {name: entry["openai"] for name, entry in zod.items()},
            ("openai-strict", "function.parameters"),
        ),
        "anthropic-node": (
            of_zod,
            {name: entry["anthropic"] for name, entry in zod.items()},
            ("anthropic-strict", "input_schema"),
        ),
        "google-genai-node": (
            of_zod,
            {name: lower(entry["google"]) for name, entry in zod.items()},
            ("gemini-schema", "parameters"),
        ),
        "anthropic": (
            schemas,
            {name: attempt(lambda schema=schema: anthropic.transform_schema(schema)) for name, schema in schemas.items()},
            ("anthropic-strict", "input_schema"),
        ),
        "google-genai": (
            schemas,
            {name: attempt(lambda kind=kind: google(kind)) for name, kind in TYPES.items()},
            ("gemini-schema", "parameters"),
        ),
    }
    # The two ways of openai-python to a schema are one.
    assert attempt(lambda: to_strict_json_schema(TYPES["nested"])) == sdks["openai-python"][1]["nested"]
    differences, same = {}, 0
    for sdk, (inputs, theirs, (dialect, key)) in sdks.items():
        own = ours(toolbox, inputs, dialect, key)
        for name in inputs:
            form, definition = own[name]
            other = plain(theirs[name])
            if definition == other:
                same += 1
            else:
                differences[(sdk, name)] = (form, definition, other)
    rows = set(re.findall(r"^\| ([a-z-]+) \| `(\w+)` \|", open(page).read(), re.M))
    missing, stale = differences.keys() - rows, rows - differences.keys()
    for sdk, name in sorted(missing):
        form, definition, other = differences[(sdk, name)]
        print(f"no reason for {sdk} {name}\n  ours ({form}): {json.dumps(definition)}\n  theirs: {json.dumps(other)}")
    for sdk, name in sorted(stale):
        print(f"the page has a reason for {sdk} {name}, which is the same")
    print(f"{same} definitions are the same, {len(differences)} differ")
    sys.exit(1 if missing or stale else 0)


if __name__ == "__main__":
    main()
