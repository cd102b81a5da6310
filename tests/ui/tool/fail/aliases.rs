use tool_runtime::tool;

/// Reads.
#[tool(aliases = "cat")]
//~ aliases ~ `aliases` are further names that a call may have: write `aliases("cat", "open")`
fn read() {}

/// Reads, too.
#[tool(aliases())]
//~ aliases ~ `aliases` are further names that a call may have: write `aliases("cat", "open")`
fn load() {}

/// Reads again.
#[tool(aliases("cat", "", "show", "cat"), sequential = true)]
//~ "" ~ an alias is a name that a model may call: write it, or remove this one
//~ "cat" ~ `cat` was already given: remove one of the two
//~ sequential ~ `sequential` takes no value: write `sequential` alone
fn open() {}

/// Reads at last.
#[tool(aliases("cat", "finish"))]
//~ "finish" ~ `finish` is the name of the tool itself: remove the alias
fn finish() {}

fn main() {}
