//! The stored form of an [`Outcome`].

use std::borrow::Cow;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::Outcome;
use super::outcome::{Loaded, OutcomeDetails};
use crate::failure::Failure;
use crate::repair::Repair;
use crate::shape::Text;
use crate::tool::Payload;

/// An outcome as it is stored.
#[derive(Serialize, Deserialize)]
struct Stored<'o> {
    call_id: Cow<'o, str>,
    tool: Cow<'o, str>,
    result: Answered<'o>,
    #[serde(default, skip_serializing_if = "<[Repair]>::is_empty")]
    repairs: Cow<'o, [Repair]>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    arguments: Option<Cow<'o, str>>,
    #[serde(default, skip_serializing_if = "<[Text]>::is_empty")]
    warnings: Cow<'o, [Text]>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    remark: Option<Text>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    is_expansion: bool,
    #[serde(default, skip_serializing_if = "<[Text]>::is_empty")]
    loaded: Cow<'o, [Text]>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    loaded_definitions: Option<Cow<'o, str>>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Answered<'o> {
    Ok(Cow<'o, Payload>),
    Failed(Cow<'o, Failure>),
}

impl Serialize for Outcome {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let result = match self.as_result() {
            Ok(payload) => Answered::Ok(Cow::Borrowed(payload)),
            Err(failure) => Answered::Failed(Cow::Borrowed(failure)),
        };
        let stored = Stored {
            call_id: self.call_id().into(),
            tool: self.tool_name().into(),
            result,
            repairs: self.repairs().into(),
            arguments: self.repaired_arguments().map(Cow::Borrowed),
            warnings: self.warnings().into(),
            remark: self.remark().map(|remark| remark.to_owned().into()),
            is_expansion: self.is_expansion(),
            loaded: self.loaded_tools().into(),
            loaded_definitions: self.loaded_definitions().map(Cow::Borrowed),
        };
        stored.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Outcome {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let stored = Stored::deserialize(deserializer)?;
        let result = match stored.result {
            Answered::Ok(payload) => Ok(payload.into_owned()),
            Answered::Failed(failure) => Err(Box::new(failure.into_owned())),
        };
        let details = OutcomeDetails {
            repairs: stored.repairs.into_owned(),
            arguments: stored.arguments.map(|arguments| arguments.into_owned().into()),
            warnings: stored.warnings.into_owned(),
            remark: stored.remark,
            is_expansion: stored.is_expansion,
            loaded: Loaded {
                tools: stored.loaded.into_owned(),
                definitions: stored.loaded_definitions.map(|definitions| definitions.into_owned().into()),
            },
        };
        let is_plain = details.repairs.is_empty()
            && details.arguments.is_none()
            && details.warnings.is_empty()
            && !details.is_expansion
            && details.loaded.tools.is_empty();
        let details = if is_plain { None } else { Some(Box::new(details)) };
        Ok(Self::new((&*stored.call_id).into(), &stored.tool.into_owned().into(), result, details))
    }
}
