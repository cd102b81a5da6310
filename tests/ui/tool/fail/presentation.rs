use tool_runtime::tool;

/// Current weather.
#[tool(title = "Weather", icons("sun.png"), meta = [1])]
//~ "sun.png" ~ an icon has an address
//~ [ ~ `meta` is an object
fn weather() {}

/// Current time.
#[tool(title = "One", title = "Two", icons)]
//~ title ~ `title` was already given
//~ icons ~ `icons` lists addresses of images
fn time() {}

fn main() {}
