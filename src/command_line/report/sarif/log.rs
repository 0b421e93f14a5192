//! The parts of a SARIF 2.1.0 log that reports use, with the standard's names.

use serde::Serialize;

/// `result`: one finding.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Finding {
    pub(super) rule_id: &'static str,
    pub(super) rule_index: usize,
    pub(super) level: &'static str,
    pub(super) message: Message,
    pub(super) locations: Vec<Location>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) related_locations: Vec<Location>,
    pub(super) partial_fingerprints: PartialFingerprints,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) fixes: Vec<Fix>,
}

/// `fix`: a change after which the finding is gone.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Fix {
    pub(super) description: Message,
    pub(super) artifact_changes: [ArtifactChange; 1],
}

/// `artifactChange`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ArtifactChange {
    pub(super) artifact_location: ArtifactLocation,
    pub(super) replacements: Vec<Replacement>,
}

/// `replacement`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Replacement {
    pub(super) deleted_region: TextRegion,
    pub(super) inserted_content: Content,
}

/// `artifactContent`: the text as it is, and no message.
#[derive(Serialize)]
pub(super) struct Content {
    pub(super) text: String,
}

/// `partialFingerprints`: what a finding is known by when its line moves.
#[derive(Serialize)]
pub(super) struct PartialFingerprints {
    #[serde(rename = "rulebookFinding/v1")]
    pub(super) finding: String,
}

/// `message`.
#[derive(Serialize)]
pub(super) struct Message {
    pub(super) text: String,
}

/// `location`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Location {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) id: Option<usize>,
    pub(super) physical_location: PhysicalLocation,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) message: Option<Message>,
}

/// `physicalLocation`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct PhysicalLocation {
    pub(super) artifact_location: ArtifactLocation,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) region: Option<TextRegion>,
}

/// `artifactLocation`.
#[derive(Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ArtifactLocation {
    pub(super) uri: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) uri_base_id: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) index: Option<usize>,
}

/// `region`: a part of a text.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct TextRegion {
    pub(super) start_line: usize,
    pub(super) start_column: usize,
    pub(super) end_line: usize,
    pub(super) end_column: usize,
}

/// `artifact`: a file that was looked at.
#[derive(Serialize)]
pub(super) struct Artifact {
    pub(super) location: ArtifactLocation,
    pub(super) roles: [&'static str; 1],
}

/// `invocation`: how the run ended.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Invocation {
    pub(super) execution_successful: bool,
    pub(super) exit_code: u8,
    pub(super) exit_code_description: &'static str,
    pub(super) tool_execution_notifications: Vec<Notification>,
}

/// `notification`: what kept a file from being looked at.
#[derive(Serialize)]
pub(super) struct Notification {
    pub(super) descriptor: DescriptorReference,
    pub(super) level: &'static str,
    pub(super) message: Message,
    pub(super) locations: Vec<Location>,
}

/// `reportingDescriptorReference`.
#[derive(Serialize)]
pub(super) struct DescriptorReference {
    pub(super) id: &'static str,
    pub(super) index: usize,
}

/// `tool`.
#[derive(Serialize)]
pub(super) struct Tool {
    pub(super) driver: Driver,
}

/// `toolComponent`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Driver {
    pub(super) name: &'static str,
    pub(super) version: &'static str,
    pub(super) semantic_version: &'static str,
    pub(super) rules: Vec<Descriptor>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) notifications: Vec<Descriptor>,
}

/// `reportingDescriptor`: a code.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Descriptor {
    pub(super) id: &'static str,
    pub(super) name: String,
    pub(super) short_description: Message,
    pub(super) full_description: Message,
    pub(super) default_configuration: Configuration,
    pub(super) help: Help,
}

/// `reportingConfiguration`.
#[derive(Serialize)]
pub(super) struct Configuration {
    pub(super) level: &'static str,
}

/// `multiformatMessageString` in both of its forms.
#[derive(Serialize)]
pub(super) struct Help {
    pub(super) text: &'static str,
    pub(super) markdown: &'static str,
}
