//! The table of keys. It says on which items a key is allowed, how the key is parsed, and what its row in `tool-runtime/docs/attributes.md`
//! or `tool-attributes.md` contains.
//!
//! The parser, the errors about unknown and misplaced keys (`lookup.rs`) and the two pages use this table, so a new key needs only one row.
//! A test compares the pages with the table.

use syn::parse::{Parse as _, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Index, LitInt, LitStr, Member, Path, Token, Type, WherePredicate};

use super::attributes::Attributes;
use super::doc::described_by;
use super::entry::{Entry, once};
use super::literal::literal;
// Recursion with `lookup`: the rules in `inner(…)` also come from this table.
use super::lookup::inner;
use super::place::Place::{self, Block, Case, Container, Error, Field, Function, Inner, Parameter, Variant};
use super::rule::{RawRule, RawRuleKind, length, range};
use super::running::{milliseconds, retry};
use super::throttle::{throttle_rules, volatile_members};
use super::word::one_of;
use crate::errors::Errors;
use crate::model::{Casing, Policy};

/// A key of `#[tool(…)]` or `#[plugin_container(…)]`. A key may be parsed differently on different kinds of items.
pub(crate) struct Key {
    pub(crate) name: &'static str,
    pub(crate) places: &'static [Place],
    pub(super) read: fn(&mut Attributes, &Entry<'_, '_>, &mut Errors) -> syn::Result<()>,
    #[cfg_attr(not(test), expect(dead_code, reason = "the tables in `tool-runtime/docs` are generated from it"))]
    pub(crate) table: Table,
    /// The cells of the key's row on the page, except for the cell that lists the items.
    #[cfg_attr(not(test), expect(dead_code, reason = "the tables in `tool-runtime/docs` are generated from it"))]
    pub(crate) cells: &'static [&'static str],
}

/// The table on the page that contains the key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Table {
    Rules,
    Values,
    Functions,
    Containers,
    Errors,
}

/// Every key.
pub(crate) const KEYS: &[Key] = &[
    // Rules.
    Key {
        name: "length",
        places: &[Field, Parameter, Inner],
        read: |found, entry, errors| rule(length(entry, errors)?, found, entry),
        table: Table::Rules,
        cells: &[
            "`length(min = 1, max = 80)`, `length(equal = 2)`",
            "`minLength`/`maxLength` of a string, `minItems`/`maxItems` of an array, `minProperties`/`maxProperties` of a map",
            "counts Unicode scalar values, items, members: `INVALID_LENGTH`",
            "`min_length`, `max_length`, `min_items`, `max_items`, `min_properties`, `max_properties`",
            "no bound; `min` above `max`; `min = 0` alone; `equal` with another bound; a length that a Rust array (`[T; N]`) cannot have",
        ],
    },
    Key {
        name: "range",
        places: &[Field, Parameter, Inner],
        read: |found, entry, errors| rule(range(entry, errors)?, found, entry),
        table: Table::Rules,
        cells: &[
            "`range(min = 1, exclusive_max = 2.5)`, also `max`, `exclusive_min`",
            "`minimum`, `maximum`, `exclusiveMinimum`, `exclusiveMaximum`, combined with the range of the type",
            "`INVALID_RANGE`, which names only the strictest bound",
            "`min`, `max`, `exclusive_min`, `exclusive_max`",
            "no bound; two bounds on one side; bounds without a number between them, or, for an integer type, without an integer between them; a range outside the range of the type, such as `min = 300` on a `u8`",
        ],
    },
    Key {
        name: "multiple_of",
        places: &[Field, Parameter, Inner],
        read: |found, entry, _| rule(Some(RawRuleKind::MultipleOf(entry.value()?)), found, entry),
        table: Table::Rules,
        cells: &[
            "`multiple_of = 0.5`",
            "`multipleOf`",
            "`INVALID_RANGE`",
            "`multiple_of`",
            "zero or less; no multiple in the range of the field and its type",
        ],
    },
    Key {
        name: "pattern",
        places: &[Field, Parameter, Inner],
        read: |found, entry, _| rule(Some(RawRuleKind::Pattern(entry.value()?)), found, entry),
        table: Table::Rules,
        cells: &[
            r#"`pattern = "^[a-z]+$"`"#,
            "`pattern`",
            "an ECMA-262 search in linear time, compiled on first use: `INVALID_PATTERN`",
            "`pattern`, and the author's `example`, or else a text that is built from the pattern and passes the check",
            "a pattern that is not ECMA-262, differs in meaning between regex engines, or needs look-around or back references; any pattern without the feature `pattern`",
        ],
    },
    Key {
        name: "format",
        places: &[Field, Parameter, Inner],
        read: |found, entry, _| rule(Some(RawRuleKind::Format(entry.value()?)), found, entry),
        table: Table::Rules,
        cells: &[
            r#"`format = "date"` (`date-time`, `date`, `time`, `duration`, `email`, `hostname`, `ipv4`, `ipv6`, `uri`, `uri-reference`, `uuid`, `json-pointer`)"#,
            "`format`",
            "`INVALID_FORMAT`",
            "`format`, and an example in this format",
            "any other name",
        ],
    },
    Key {
        name: "unique_items",
        places: &[Field, Parameter, Inner],
        read: |found, entry, _| rule(entry.flag().map(|_| Some(RawRuleKind::UniqueItems))?, found, entry),
        table: Table::Rules,
        cells: &[
            "`unique_items`",
            "`uniqueItems`",
            "no two items are equal as JSON: `INVALID_LENGTH`",
            "`unique_items`",
            "items whose type lacks `Eq` or `Hash`",
        ],
    },
    Key {
        name: "inner",
        places: &[Field, Parameter, Inner],
        read: |found, entry, errors| rule(inner(entry, found.depth, errors)?, found, entry),
        table: Table::Rules,
        cells: &[
            "`inner(…)`",
            "the rules are in `items` or `additionalProperties`",
            "each item of an array, or each value of a map, is checked at its own path",
            "the keys of the inner rules, for the faulty item",
            "no rule inside; more than 16 levels; a type without items",
        ],
    },
    Key {
        name: "custom",
        places: &[Container, Field, Parameter, Inner],
        read: |found, entry, _| rule(Some(RawRuleKind::Custom(entry.value()?)), found, entry),
        table: Table::Rules,
        cells: &[
            "`custom = path`",
            "nothing",
            "`fn(&T) -> Result<(), Rejection>`, where `T` is the declared type, including its `Option`; on a type, it checks the whole value; it runs only if the value has no other fault. The code of the issue is `CUSTOM`, or the code of the rejection",
            "the rejection's `expected`, and the author's `example`",
            "use with `as`, because then the function for `deserialize_with` has to check the value",
        ],
    },
    // Values and presentation.
    Key {
        name: "description",
        places: &[Container, Variant, Field, Parameter, Function, Block],
        read: |found, entry, _| described_by(entry, &mut found.description),
        table: Table::Values,
        cells: &[
            r#"`description = "…"`"#,
            "`description`; a field's description replaces that of its type",
            "nothing",
            "quoted in `clarifying_question` and in `retry_guidance`",
            "the `///` lines; a literal, the path of a `const`, or `include_str!`; at most 1,024 characters",
        ],
    },
    Key {
        name: "undocumented",
        places: &[Container, Field, Parameter, Function, Block],
        read: |found, entry, _| entry.mark(&mut found.undocumented),
        table: Table::Values,
        cells: &[
            "`undocumented`",
            "no `description`",
            "nothing",
            "`clarifying_question` contains only the name",
            "without it, a missing description of a field, parameter, function or block is an error; on a type or function, it applies to everything inside; refused if it has no effect",
        ],
    },
    Key {
        name: "example",
        places: &[Field, Parameter],
        read: |found, entry, _| once(&mut found.example, entry.key, entry.value_with(literal)?),
        table: Table::Values,
        cells: &[
            "`example = …`",
            "`examples`, one item",
            "nothing",
            "`example_input`; also `example`, if no other key of the hint describes a value",
            "none; any JSON value that the type and its rules accept (checked by the compiler if it knows the shape, else by `build()`); refused on flattened fields and on fields of tuples",
        ],
    },
    Key {
        name: "default",
        places: &[Field, Parameter],
        read: |found, entry, _| entry.spanned(&mut found.default, literal),
        table: Table::Values,
        cells: &[
            "`default = …`",
            "`default`, and the key is not required",
            "on a parameter, an absent key gets this value; on a field, `#[serde(default)]` is needed too, because serde supplies the value",
            "`example_input`, if there is no `example`",
            "none; a value as for `example`; refused with `default_fn`",
        ],
    },
    Key {
        name: "default_fn",
        places: &[Parameter],
        read: |found, entry, _| entry.spanned(&mut found.default_fn, Path::parse),
        table: Table::Values,
        cells: &[
            "`default_fn = path`",
            "the key is not required; the schema does not show the default",
            "an absent key gets the result of `fn() -> T`",
            "nothing",
            r#"none; on a field, use `#[serde(default = "path")]`"#,
        ],
    },
    Key {
        name: "sensitive",
        places: &[Field, Parameter],
        read: |found, entry, _| entry.mark(&mut found.sensitive),
        table: Table::Values,
        cells: &[
            "`sensitive`",
            "nothing",
            "arrays in place of structs and enums are refused in the whole input",
            "the value is shown as `<redacted>`, even inside enclosing objects, arrays and unions; so are unknown keys with their values, and texts, arrays and objects where another type is expected; if the call sent the field, the tool's error texts and warnings are hidden ([Secrets])",
            "the value is shown; refused on flattened fields and on fields of tuples",
        ],
    },
    Key {
        name: "deprecated",
        places: &[Variant, Field, Parameter],
        read: |found, entry, _| entry.mark(&mut found.deprecated),
        table: Table::Values,
        cells: &[
            "`deprecated`",
            r#"`"deprecated": true`"#,
            "nothing",
            "nothing",
            "not deprecated; on a field or variant, `#[deprecated]` does the same",
        ],
    },
    Key {
        name: "hidden",
        places: &[Variant, Field, Parameter],
        read: |found, entry, _| entry.mark(&mut found.hidden),
        table: Table::Values,
        cells: &[
            "`hidden`",
            "absent",
            "accepted and checked",
            "left out of all lists of keys, values and variants",
            "shown; refused on required fields",
        ],
    },
    Key {
        name: "repair",
        places: &[Field, Parameter, Function],
        read: |found, entry, _| {
            entry.spanned(&mut found.settings.repair, |input| one_of(&input.parse()?, Policy::NAMES))
        },
        table: Table::Values,
        cells: &[
            r#"`repair = "strict"`"#,
            "nothing",
            "limits the repairs of this value, and of the values inside it, after a rejection ([Coercion])",
            "the faults that remain after the repairs",
            r#"the policy of the enclosing value, of the tool or of the toolbox, which is `"lossless"` by default; the values are `"strict"`, `"lossless"`, `"words"` and `"assisted"`; refused on flattened fields and on fields of tuples"#,
        ],
    },
    Key {
        name: "schemars",
        places: &[Field, Parameter],
        read: |found, entry, _| entry.mark(&mut found.schemars),
        table: Table::Values,
        cells: &[
            "`schemars`",
            "the schema from `schemars::JsonSchema`",
            "only serde checks the value; a value that serde rejects is one `CUSTOM` fault at the field, reported with the other faults",
            "`example` only",
            "not used; refused with every rule except `custom`",
        ],
    },
    Key {
        name: "as",
        places: &[Variant, Field],
        read: |found, entry, _| entry.spanned(&mut found.wire_type, Type::parse),
        table: Table::Values,
        cells: &[
            "`as = Type`",
            "the schema of `Type`",
            "the rules of `Type` apply; serde's function decodes the value",
            "the same as for `Type`",
            r#"allowed only with `#[serde(with = "…")]` or `deserialize_with`, which need either `as` or `schemars`"#,
        ],
    },
    // Parameters and functions.
    Key {
        name: "rename",
        places: &[Parameter],
        read: |found, entry, _| once(&mut found.rename, entry.key, entry.value()?),
        table: Table::Functions,
        cells: &[
            r#"`rename = "…"`"#,
            "the key has this name",
            "the key has this name",
            "likewise",
            r#"the Rust name; refused if another parameter has the same name; on a field, use `#[serde(rename = "…")]`"#,
        ],
    },
    Key {
        name: "alias",
        places: &[Parameter],
        read: |found, entry, _| entry.value().map(|alias| found.aliases.push(alias)),
        table: Table::Functions,
        cells: &[
            r#"`alias = "…"`"#,
            "absent",
            "accepted in place of the name, refused together with it",
            "the name only",
            r#"none; refused if another parameter has the same name; on a field, use `#[serde(alias = "…")]`"#,
        ],
    },
    Key {
        name: "host",
        places: &[Parameter],
        read: |found, entry, _| entry.mark(&mut found.host),
        table: Table::Functions,
        cells: &[
            "`host`",
            "absent",
            "an unknown key if the model sends it; the host supplies the value; if the value is required but missing, or if it breaks a rule, the call fails with `host_input`",
            "nothing",
            "the model sends the value; refused with keys that are only for the model, such as `example` and `alias`, and with `allow_unknown`",
        ],
    },
    Key {
        name: "state",
        places: &[Parameter],
        read: |found, entry, _| entry.mark(&mut found.state),
        table: Table::Functions,
        cells: &[
            "`state`",
            "absent",
            "nothing",
            "nothing",
            "a `&T` that the toolbox or the session provides; `build()` fails without it; refused with any other key",
        ],
    },
    Key {
        name: "context",
        places: &[Parameter],
        read: |found, entry, _| entry.mark(&mut found.context),
        table: Table::Functions,
        cells: &["`context`", "absent", "nothing", "nothing", "a `&CallContext`; refused with any other key"],
    },
    Key {
        name: "name",
        places: &[Function, Block],
        read: |found, entry, _| once(&mut found.name, entry.key, entry.value()?),
        table: Table::Functions,
        cells: &[
            r#"`name = "…"`"#,
            "the tool's or container's name",
            "nothing",
            "the key `tool`",
            "the function's or type's name; `^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$`",
        ],
    },
    Key {
        name: "type",
        places: &[Function],
        read: |found, entry, _| once(&mut found.type_name, entry.key, entry.value()?),
        table: Table::Functions,
        cells: &[
            "`type = Name`",
            "nothing",
            "nothing",
            "nothing",
            "the name of the generated type: `GetWeatherTool` for `get_weather`, `MathAddTool` for `add` of `Math`",
        ],
    },
    Key {
        name: "crate",
        places: &[Container, Function, Block],
        read: |found, entry, _| entry.spanned(&mut found.runtime, absolute_path),
        table: Table::Functions,
        cells: &[
            "`crate = ::path`",
            "nothing",
            "nothing",
            "nothing",
            "`::tool_runtime`; the absolute path of the runtime in your crate; refused on the methods of a block: put it on the block",
        ],
    },
    Key {
        name: "bound",
        places: &[Container],
        read: |found, entry, _| once(&mut found.bound, entry.key, entry.value_with(predicates)?),
        table: Table::Functions,
        cells: &[
            r#"`bound = "T: …"`"#,
            "nothing",
            "nothing",
            "nothing",
            "`T: ToolInput` for each type parameter of a field; your bounds replace these",
        ],
    },
    Key {
        name: "aliases",
        places: &[Function],
        read: |found, entry, _| {
            let names = entry
                .texts("`aliases` lists additional names that calls may use: write `aliases(\"cat\", \"open\")`")?;
            once(&mut found.other_names, entry.key, names)
        },
        table: Table::Functions,
        cells: &[
            r#"`aliases("cat", "open")`"#,
            "nothing",
            "a call by an alias runs the tool, and the list of repairs gets an entry",
            "nothing; no text for the model contains an alias",
            "none; any text; refused if empty, repeated or the name of the tool; `build()` fails if another tool or container has this name",
        ],
    },
    Key {
        name: "title",
        places: &[Function, Block],
        read: |found, entry, _| once(&mut found.title, entry.key, entry.value()?),
        table: Table::Functions,
        cells: &[
            r#"`title = "…"`"#,
            "`title` in definitions for MCP",
            "nothing",
            "nothing",
            "none; a display name for people",
        ],
    },
    Key {
        name: "icons",
        places: &[Function, Block],
        read: |found, entry, _| {
            let icons =
                entry.texts("`icons` lists addresses of images: write `icons(\"https://example.com/icon.png\")`")?;
            once(&mut found.icons, entry.key, icons)
        },
        table: Table::Functions,
        cells: &[
            r#"`icons("https://…")`"#,
            "`icons` in definitions for MCP",
            "nothing",
            "nothing",
            "none; refused unless each begins with `https://`, `http://` or `data:`",
        ],
    },
    Key {
        name: "meta",
        places: &[Function, Block],
        read: |found, entry, _| once(&mut found.meta, entry.key, entry.value_with(literal)?),
        table: Table::Functions,
        cells: &[
            r#"`meta = {"com.example/tier": 2}`"#,
            "`_meta` in definitions for MCP",
            "nothing",
            "nothing",
            "none; refused unless it is an object",
        ],
    },
    Key {
        name: "allow_unknown",
        places: &[Function],
        read: |found, entry, _| entry.mark(&mut found.settings.allow_unknown),
        table: Table::Functions,
        cells: &[
            "`allow_unknown`",
            r#"no `"additionalProperties": false`"#,
            "unknown keys are ignored",
            "nothing",
            "unknown keys are refused",
        ],
    },
    Key {
        name: "errors",
        places: &[Function],
        read: |found, entry, _| once(&mut found.settings.show_errors, entry.key, one_of(&entry.value()?, SHOWN)?),
        table: Table::Functions,
        cells: &[
            r#"`errors = "hidden"`"#,
            "nothing",
            "nothing",
            "nothing; `error_message` is a neutral sentence unless the tool returns a `ToolError`",
            r#"the setting of the toolbox, which is `"shown"` by default; the values are `"shown"` and `"hidden"`"#,
        ],
    },
    Key {
        name: "blocking",
        places: &[Function],
        read: |found, entry, _| entry.mark(&mut found.settings.blocking),
        table: Table::Functions,
        cells: &[
            "`blocking`",
            "nothing",
            "nothing",
            "nothing",
            "the tool runs on the calling thread; a `blocking` tool runs on the spawner that you give to `builder.spawner(…)`, and `build()` fails without a spawner; refused on async functions",
        ],
    },
    Key {
        name: "sequential",
        places: &[Function],
        read: |found, entry, _| entry.mark(&mut found.settings.sequential),
        table: Table::Functions,
        cells: &[
            "`sequential`",
            "nothing",
            "nothing",
            "nothing",
            "the calls of a batch (`session.call_batch`) run at the same time; a call of a `sequential` tool runs alone: after all earlier calls, and before all later ones",
        ],
    },
    Key {
        name: "timeout_ms",
        places: &[Function],
        read: |found, entry, _| {
            let limit = (entry.key.span(), milliseconds(entry)?);
            once(&mut found.settings.time_limit, entry.key, limit)
        },
        table: Table::Functions,
        cells: &[
            "`timeout_ms = 5_000`",
            "nothing",
            "nothing; a call that takes longer is answered with `timeout`, and the future of the call is dropped",
            "nothing",
            "the limit of the toolbox (`builder.time_limit(…)`), if it is set; the limit covers all attempts and pauses of a call; `build()` fails without a clock that has timers; refused on a sync function that is not `blocking`",
        ],
    },
    Key {
        name: "retry",
        places: &[Function],
        read: |found, entry, errors| match retry(entry, errors)? {
            Some(retry) => once(&mut found.settings.retry, entry.key, retry),
            None => Ok(()),
        },
        table: Table::Functions,
        cells: &[
            "`retry(attempts = 3, first_ms = 200, factor = 2, cap_ms = 5_000)`",
            "nothing",
            "nothing; after `unavailable`, `rate_limited` or `timeout` the tool is called again after a pause",
            "nothing",
            "the setting of the toolbox (`builder.retry(…)`), if it is set; `attempts` is required and includes the first attempt; if the tool asks for a longer pause with `retry_after`, this pause is used; if it is longer than `cap_ms`, the tool is not called again; `build()` fails without a clock that has timers; refused without `idempotent`",
        ],
    },
    Key {
        name: "output_schema",
        places: &[Function],
        read: |found, entry, _| entry.mark(&mut found.settings.output_schema),
        table: Table::Functions,
        cells: &[
            "`output_schema`",
            "`outputSchema`, from `schemars::JsonSchema`, for providers that accept one",
            "nothing; with an `output_check` on the builder, a result that does not fit gets a warning",
            "nothing",
            "none",
        ],
    },
    Key {
        name: "available_if",
        places: &[Function],
        read: |found, entry, _| once(&mut found.settings.available_if, entry.key, entry.value()?),
        table: Table::Functions,
        cells: &[
            "`available_if = path`",
            "the definition appears only while the tool is visible",
            "a call of an invisible tool is answered with `unavailable`",
            "nothing",
            "always visible; `fn(&S) -> bool` over a state that the toolbox or the session provides (`build()` fails without it); evaluated when the host asks for the definitions, and valid until the host asks again",
        ],
    },
    Key {
        name: "available_if",
        places: &[Parameter],
        read: |found, entry, _| entry.spanned(&mut found.shown_if, Path::parse),
        table: Table::Functions,
        cells: &[
            "`available_if = path`",
            "the key appears only while the parameter is visible",
            "a hidden parameter is an unknown key, and the tool gets its default or `None`",
            "no text names a hidden parameter",
            "always visible; also visible in a session without the state; `fn(&S) -> bool`, as on a function; refused on required parameters, and with `allow_unknown`",
        ],
    },
    Key {
        name: "description_from",
        places: &[Function],
        read: |found, entry, _| once(&mut found.settings.description_from, entry.key, entry.value()?),
        table: Table::Functions,
        cells: &[
            "`description_from = path`",
            "the `description` of the tool, evaluated together with `available_if`",
            "nothing",
            "nothing",
            "the `///` lines, which are also used in a session without the state; `fn(&S) -> String` over a state as in `available_if`; a text of more than 1,024 characters is cut",
        ],
    },
    Key {
        name: "description_from",
        places: &[Parameter],
        read: |found, entry, _| entry.spanned(&mut found.described_from, Path::parse),
        table: Table::Functions,
        cells: &[
            "`description_from = path`",
            "the `description` of the parameter, evaluated together with `available_if`",
            "nothing",
            "quoted in `clarifying_question` and in `retry_guidance`",
            "the `///` lines, as on a function",
        ],
    },
    Key {
        name: "enum_from",
        places: &[Parameter],
        read: |found, entry, _| entry.spanned(&mut found.enum_from, Path::parse),
        table: Table::Functions,
        cells: &[
            "`enum_from = path`",
            "`enum`; for a list, it is the `enum` of the items",
            "`INVALID_ENUM_VALUE`",
            "`allowed_values`, `did_you_mean`",
            "any text is accepted; `fn(&S) -> impl IntoIterator<Item: Into<Text>>`, such as `fn(&Files) -> Vec<String>`, over a state as in `available_if`; values that break another rule of the parameter are left out; if no value remains, the parameter is left out of the schema if it is optional and `allow_unknown` is not set, and otherwise the tool is invisible; refused on types that are not text, and with `schemars`",
        ],
    },
    Key {
        name: "mcp_header",
        places: &[Parameter],
        read: |found, entry, _| once(&mut found.header, entry.key, entry.value()?),
        table: Table::Functions,
        cells: &[
            r#"`mcp_header = "Region"`"#,
            "`x-mcp-header` in definitions for MCP: clients repeat the value in the HTTP header `Mcp-Param-Region`",
            "the MCP server refuses a request over HTTP whose header differs from the argument",
            "nothing",
            "no header; refused unless the value is a text, a boolean or an integer of at most 53 bits, and the name has only the characters of a header name, such as letters, digits, `-` and `_`; refused if another parameter has the same header, and together with `sensitive`, `hidden`, `schemars` and `host`",
        ],
    },
    Key {
        name: "throttle",
        places: &[Function],
        read: |found, entry, errors| {
            let rules = (entry.key.span(), throttle_rules(entry, errors)?);
            once(&mut found.throttle.throttle, entry.key, rules)
        },
        table: Table::Functions,
        cells: &[
            "`throttle(same_error = false, …)`",
            "nothing",
            "other limits apply to repeated failures and calls ([Throttling])",
            "nothing",
            "the limits of the toolbox; the rules `consecutive_failures`, `same_error`, `identical_call` and `alternating_calls` take `warn`, `refuse`, `factor`, and in seconds `first` and `cap`; their defaults are `warn = 2`, `refuse = 3`, `first = 30`, `factor = 2` and `cap = 300`, except for `consecutive_failures`, with `warn = 4` and `refuse = 6`; `same_tool_rate` takes `calls` and `seconds`; `= false` turns a rule off; refused for rules of the whole session, and for numbers without effect",
        ],
    },
    Key {
        name: "polling",
        places: &[Function],
        read: |found, entry, _| entry.mark(&mut found.throttle.polling),
        table: Table::Functions,
        cells: &[
            "`polling`",
            "nothing",
            "a repeated call with the same result is never paused",
            "nothing",
            "repeated calls are counted by `identical_call` and `alternating_calls`",
        ],
    },
    Key {
        name: "unlimited",
        places: &[Function],
        read: |found, entry, _| entry.mark(&mut found.throttle.unlimited),
        table: Table::Functions,
        cells: &[
            "`unlimited`",
            "nothing",
            "the tool is never paused",
            "nothing",
            "every rule can pause the tool; refused with `throttle`, `polling` and `volatile`",
        ],
    },
    Key {
        name: "volatile",
        places: &[Function],
        read: |found, entry, _| {
            let members = (entry.key.span(), volatile_members(entry)?);
            once(&mut found.throttle.volatile, entry.key, members)
        },
        table: Table::Functions,
        cells: &[
            r#"`volatile("timestamp", …)`"#,
            "nothing",
            "results that differ only in these members, at any depth, count as equal",
            "nothing",
            "all members are compared; refused with `polling`",
        ],
    },
    Key {
        name: "read_only",
        places: &[Function],
        read: |found, entry, _| once(&mut found.settings.read_only, entry.key, entry.flag_or_value()?),
        table: Table::Functions,
        cells: &[
            "`read_only`",
            "`readOnlyHint`, for the Model Context Protocol",
            "a success of the tool does not end a sequence of identical calls of another tool ([Throttling])",
            "nothing",
            "no annotation; `read_only` alone means `read_only = true`",
        ],
    },
    Key {
        name: "destructive",
        places: &[Function],
        read: |found, entry, _| once(&mut found.settings.destructive, entry.key, entry.flag_or_value()?),
        table: Table::Functions,
        cells: &[
            "`destructive`",
            "`destructiveHint`",
            "nothing",
            "nothing",
            "no annotation; `destructive` alone means `destructive = true`",
        ],
    },
    Key {
        name: "idempotent",
        places: &[Function],
        read: |found, entry, _| once(&mut found.settings.idempotent, entry.key, entry.flag_or_value()?),
        table: Table::Functions,
        cells: &[
            "`idempotent`",
            "`idempotentHint`",
            "nothing",
            "nothing",
            "no annotation; `idempotent` alone means `idempotent = true`",
        ],
    },
    Key {
        name: "open_world",
        places: &[Function],
        read: |found, entry, _| once(&mut found.settings.open_world, entry.key, entry.flag_or_value()?),
        table: Table::Functions,
        cells: &[
            "`open_world`",
            "`openWorldHint`",
            "nothing",
            "nothing",
            "no annotation; `open_world` alone means `open_world = true`",
        ],
    },
    // Containers.
    Key {
        name: "instructions",
        places: &[Block],
        read: |found, entry, _| described_by(entry, &mut found.instructions),
        table: Table::Containers,
        cells: &[
            r#"`instructions = "…"`"#,
            "nothing; shown in the answer to the expansion",
            "nothing",
            "nothing",
            "none; a text as for `description`",
        ],
    },
    Key {
        name: "instructions_from",
        places: &[Block],
        read: |found, entry, _| entry.spanned(&mut found.instructions_from, Path::parse),
        table: Table::Containers,
        cells: &[
            "`instructions_from = path`",
            "nothing; computed when the container is expanded, and shown in the answer",
            "nothing",
            "nothing",
            "none; `fn(&S) -> String` over a state that the toolbox or the session provides; refused with `instructions`",
        ],
    },
    Key {
        name: "system_prompt",
        places: &[Block],
        read: |found, entry, _| described_by(entry, &mut found.system_prompt),
        table: Table::Containers,
        cells: &[
            r#"`system_prompt = "…"`"#,
            "nothing; part of `session.instructions()` while the container is expanded",
            "nothing",
            "nothing",
            "none; a text as for `description`",
        ],
    },
    Key {
        name: "system_prompt_from",
        places: &[Block],
        read: |found, entry, _| entry.spanned(&mut found.system_prompt_from, Path::parse),
        table: Table::Containers,
        cells: &[
            "`system_prompt_from = path`",
            "nothing; computed when the host calls `session.instructions()`, and part of its result while the container is expanded",
            "nothing",
            "nothing",
            "none; a function as for `instructions_from`; refused with `system_prompt`",
        ],
    },
    Key {
        name: "rename_all",
        places: &[Block],
        read: |found, entry, _| once(&mut found.rename_all, entry.key, one_of(&entry.value()?, Casing::NAMES)?),
        table: Table::Containers,
        cells: &[
            r#"`rename_all = "camelCase"`"#,
            "the names of the members without a `name`",
            "nothing",
            "nothing",
            r#"the Rust names; accepts the same cases as serde; on a type, use `#[serde(rename_all = "…")]`"#,
        ],
    },
    // Errors of tools.
    Key {
        name: "rejected",
        places: &[Error, Case],
        read: kind,
        table: Table::Errors,
        cells: &["`rejected`, or none of the five keys below", "`tool_error`, `replan`"],
    },
    Key {
        name: "retry",
        places: &[Error, Case],
        read: kind,
        table: Table::Errors,
        cells: &["`retry`", "`tool_error`, `correct_call`"],
    },
    Key {
        name: "unavailable",
        places: &[Error, Case],
        read: kind,
        table: Table::Errors,
        cells: &["`unavailable`", "`unavailable`, `replan`"],
    },
    Key {
        name: "rate_limited",
        places: &[Error, Case],
        read: kind,
        table: Table::Errors,
        cells: &["`rate_limited`", "`rate_limited`, `replan`"],
    },
    Key {
        name: "timeout",
        places: &[Error, Case],
        read: kind,
        table: Table::Errors,
        cells: &["`timeout`", "`timeout`, `replan`"],
    },
    Key {
        name: "internal",
        places: &[Error, Case],
        read: kind,
        table: Table::Errors,
        cells: &["`internal`", "`internal_error`; the model does not see the error text"],
    },
    Key {
        name: "field",
        places: &[Error, Case],
        read: |found, entry, _| once(&mut found.argument, entry.key, (entry.key.clone(), entry.value()?)),
        table: Table::Errors,
        cells: &[r#"`field = "trip.city"`"#, "an issue about this argument; refused without `rejected` or `retry`"],
    },
    Key {
        name: "retry_after",
        places: &[Error, Case],
        read: |found, entry, _| once(&mut found.pause, entry.key, (entry.key.clone(), entry.value_with(member)?)),
        table: Table::Errors,
        cells: &[
            "`retry_after = name`",
            "`retry_after_ms`, from the field `name` (in a tuple, the index of the field); the field is a `Duration` or an `Option<Duration>`; refused without `unavailable`, `rate_limited` or `timeout`",
        ],
    },
    Key {
        name: "crate",
        places: &[Error],
        read: |found, entry, _| entry.spanned(&mut found.runtime, absolute_path),
        table: Table::Errors,
        cells: &["`crate = ::path`", "no effect on the model: generated code finds `tool-runtime` under this path"],
    },
];

/// The values of `errors = "…"`.
const SHOWN: &[(&str, bool)] = &[("shown", true), ("hidden", false)];

/// Adds a rule. `kind` is `None` if a mistake inside the rule was already noted.
fn rule(kind: Option<RawRuleKind>, found: &mut Attributes, entry: &Entry<'_, '_>) -> syn::Result<()> {
    let Some(kind) = kind else { return Ok(()) };
    let key = entry.key;
    // `custom` may occur several times. Every other rule becomes a JSON Schema keyword, which can occur only once.
    if !matches!(kind, RawRuleKind::Custom(_)) && found.rules.iter().any(|rule| rule.key == *key) {
        return Err(syn::Error::new(key.span(), format!("`{key}` was already given: remove one of the two")));
    }
    found.rules.push(RawRule { key: key.clone(), kind });
    Ok(())
}

/// Stores the kind of failure to which an error is mapped. Returns an error if a kind was already given.
fn kind(found: &mut Attributes, entry: &Entry<'_, '_>, _: &mut Errors) -> syn::Result<()> {
    entry.flag()?;
    if let Some(other) = &found.kind {
        let message = format!("the kind was already given as `{other}`: remove one of the two");
        return Err(syn::Error::new(entry.key.span(), message));
    }
    found.kind = Some(entry.key.clone());
    Ok(())
}

/// Parses the name of a field, or its number in a tuple.
fn member(input: ParseStream<'_>) -> syn::Result<Member> {
    if input.peek(LitInt) { input.parse::<Index>().map(Member::Unnamed) } else { input.parse().map(Member::Named) }
}

/// Parses a path that has the same meaning in every module.
fn absolute_path(input: ParseStream<'_>) -> syn::Result<Path> {
    let path = Path::parse_mod_style(input)?;
    let first = path.segments.first().map(|segment| segment.ident.to_string());
    if path.leading_colon.is_some() || matches!(first.as_deref(), Some("crate" | "$crate")) {
        return Ok(path);
    }
    let shown = path.segments.iter().map(|segment| segment.ident.to_string()).collect::<Vec<_>>().join("::");
    Err(syn::Error::new_spanned(path, format!("generated code needs an absolute path: write `crate = ::{shown}`")))
}

fn predicates(input: ParseStream<'_>) -> syn::Result<Vec<WherePredicate>> {
    let text: LitStr = input.parse()?;
    let parsed = text.parse_with(Punctuated::<WherePredicate, Token![,]>::parse_terminated)?;
    Ok(parsed.into_iter().collect())
}
