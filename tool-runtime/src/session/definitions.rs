//! Placeholder
use super::visible::Advertised;
use crate::schema::Format;
use std::sync::Arc;

#[derive(Clone, Debug)]
pub struct Definitions(Arc<str>);
impl Definitions {
    pub fn as_str(&self) -> &str {
        &self.0
    }
}
#[derive(Default)]
pub(super) struct Rendered(Vec<(Format, Definitions)>);
impl Rendered {
    pub(super) fn get_or_render<'s, I: Iterator<Item = Advertised<'s>>>(
        &mut self,
        format: Format,
        items: impl FnOnce() -> I,
    ) -> Definitions {
        if let Some((_, found)) = self.0.iter().find(|(other, _)| *other == format) {
            return found.clone();
        }
        let text = format!("[{}]", items().map(|i| format!("{:?}", i.name())).collect::<Vec<_>>().join(","));
        let d = Definitions(text.into());
        self.0.push((format, d.clone()));
        d
    }
}
