//! A shape in one line, for comparisons in tests.
//!
//! The form is `Room { beds?: integer [Range] = 2, name|label: string? }`. `…` ends an object that ignores unknown keys, `!` one that
//! rejects them.

use tool_schema::shape::{Field, Kind, Rule, Shape, Tagging, UnknownKeys, Variant};

/// Returns the shape in one line. The content of a name is only printed once.
pub(crate) fn outline(shape: &Shape) -> String {
    write(shape, &mut Vec::new())
}

fn write(shape: &Shape, names: &mut Vec<String>) -> String {
    let mut text = String::new();
    if !shape.name.is_empty() {
        text.push_str(&shape.name);
        if names.iter().any(|name| *name == *shape.name) {
            return text;
        }
        names.push(shape.name.to_string());
        text.push(' ');
    }
    text.push_str(&kind(&shape.kind, names));
    // The range of an integer type is implied by the type.
    if !matches!(shape.kind, Kind::Integer) {
        text.push_str(&rules(&shape.rules));
    }
    text
}

fn kind(kind: &Kind, names: &mut Vec<String>) -> String {
    match kind {
        Kind::Array(items) => format!("[{}]", write(&items.shape(), names)),
        Kind::Tuple(positions) => {
            let positions: Vec<String> = positions.iter().map(|position| write(&position.shape(), names)).collect();
            format!("({})", positions.join(", "))
        }
        Kind::Map { values, .. } => format!("{{*: {}}}", write(&values.shape(), names)),
        Kind::Nullable(inner) => format!("{}?", write(&inner.shape(), names)),
        Kind::Alias(inner) => format!("= {}", write(&inner.shape(), names)),
        Kind::Object(object) => {
            let fields: Vec<String> = object.fields.iter().map(|each| field(each, names)).collect();
            format!("{{{}{}", fields.join(", "), end(object.unknown))
        }
        Kind::Union(union) => {
            let tag = match &union.tagging {
                Tagging::External => "external".to_owned(),
                Tagging::Internal { tag } => format!("by {tag}"),
                Tagging::Adjacent { tag, content } => format!("by {tag}, {content}"),
                Tagging::Untagged => "untagged".to_owned(),
            };
            let variants: Vec<String> = union.variants.iter().map(|each| variant(each, names)).collect();
            format!(
                "<{tag}: {}{}",
                variants.join(" | "),
                if union.unknown == UnknownKeys::Rejected { "!>" } else { ">" }
            )
        }
        other => other.name().to_owned(),
    }
}

fn end(unknown: UnknownKeys) -> &'static str {
    if unknown == UnknownKeys::Rejected { "!}" } else { "}" }
}

fn field(field: &Field, names: &mut Vec<String>) -> String {
    let mut text = String::new();
    for (flag, word) in [
        (field.flatten, "flatten "),
        (field.sensitive, "sensitive "),
        (field.deprecated, "deprecated "),
        (field.hidden, "hidden "),
    ] {
        text.push_str(if flag { word } else { "" });
    }
    text.push_str(&field.name);
    field.aliases.iter().for_each(|alias| text.extend(["|", alias.as_str()]));
    text.push_str(if field.required { ": " } else { "?: " });
    text.push_str(&write(&field.shape.shape(), names));
    text.push_str(&rules(&field.rules));
    if let Some(default) = &field.default {
        text.extend([" = ", default.as_str()]);
    }
    if let Some(example) = &field.example {
        text.extend([" ~ ", example.as_str()]);
    }
    text
}

fn variant(variant: &Variant, names: &mut Vec<String>) -> String {
    let mut text = String::new();
    for (flag, word) in [
        (variant.other, "other "),
        (variant.untagged, "untagged "),
        (variant.deprecated, "deprecated "),
        (variant.hidden, "hidden "),
    ] {
        text.push_str(if flag { word } else { "" });
    }
    text.push_str(&variant.name);
    variant.aliases.iter().for_each(|alias| text.extend(["|", alias.as_str()]));
    if let Some(payload) = &variant.payload {
        text.extend([" ", write(&payload.shape(), names).as_str()]);
    }
    text
}

fn rules(rules: &[Rule]) -> String {
    let words: Vec<String> = rules
        .iter()
        .map(|rule| match rule {
            Rule::Length(length) => {
                format!("length {}..{}", length.min, length.max.map_or(String::new(), |max| max.to_string()))
            }
            Rule::Range(range) => {
                let end = |end: Option<tool_schema::json::Number>| end.map_or(String::new(), |end| end.to_string());
                let strict =
                    |end: Option<tool_schema::json::Number>| end.map_or(String::new(), |end| format!("({end})"));
                format!(
                    "range {}{}..{}{}",
                    end(range.min),
                    strict(range.exclusive_min),
                    end(range.max),
                    strict(range.exclusive_max)
                )
            }
            Rule::MultipleOf(divisor) => format!("multiple_of {divisor}"),
            Rule::Pattern(pattern) => format!("pattern {}", pattern.source),
            Rule::Format(format) => format!("format {}", format.name()),
            Rule::UniqueItems => "unique_items".to_owned(),
            Rule::Inner(inner) => format!("inner{}", self::rules(inner)),
            Rule::Custom(_) => "custom".to_owned(),
            other => format!("{other:?}"),
        })
        .collect();
    if words.is_empty() { String::new() } else { format!(" [{}]", words.join(", ")) }
}
