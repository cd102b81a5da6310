use tool_runtime::tool;

/// Reads.
#[tool(aliases = "cat")]
//~ aliases ~ `aliases` lists additional names that calls may use: write `aliases("cat", "open")`
fn read() {}

/// Reads, too.
#[tool(aliases())]
//~ aliases ~ `aliases` lists additional names that calls may use: write `aliases("cat", "open")`
fn load() {}

/// Reads again.
#[tool(aliases("cat", "", "show", "cat"), sequential = true)]
//~ "" ~ an alias cannot be empty: write a name, or remove it
//~ "cat" ~ `cat` was already given: remove one of the two
//~ sequential ~ `sequential` takes no value: write `sequential` alone
fn open() {}

/// Reads at last.
#[tool(aliases("cat", "finish"))]
//~ "finish" ~ `finish` is the name of the tool itself: remove the alias
fn finish() {}

fn main() {}
