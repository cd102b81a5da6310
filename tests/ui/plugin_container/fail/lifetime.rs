use tool_runtime::{plugin_container, tool};

struct View<'a>(&'a str);

/// Texts.
#[plugin_container]
impl<'a> View<'a> {
    //~ 'a ~ own what is borrowed for `'a`, or write `'static` for `'a`
    /// Shows.
    #[tool]
    fn show(&self) -> String {
        self.0.to_owned()
    }
}

fn main() {}
