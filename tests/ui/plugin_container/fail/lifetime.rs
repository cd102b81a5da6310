use tool_runtime::{plugin_container, tool};

struct View<'a>(&'a str);

/// Texts.
#[plugin_container]
impl<'a> View<'a> {
    //~ 'a ~ a container lives as long as its toolbox and cannot borrow for `'a`: own the data, or write `'static` instead of `'a`
    /// Shows.
    #[tool]
    fn show(&self) -> String {
        self.0.to_owned()
    }
}

fn main() {}
