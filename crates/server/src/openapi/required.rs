//! Marks the fields of response schemas as required.
//!
//! Every response contains all fields of its schema, and absent values are `null`; [`SPARSE`] lists
//! the exceptions. utoipa does not list an `Option` as required, so clients would have to expect
//! that the field is missing.

use std::collections::HashSet;

use serde_json::Value;
use utoipa::openapi::schema::{AdditionalProperties, ArrayItems};
use utoipa::openapi::{OpenApi, RefOr, Schema};

const SCHEMAS: &str = "#/components/schemas/";
/// Schemas whose data is sent as it is stored, without absent values.
const SPARSE: [&str; 2] = ["PortalErrorEvent", "NamedSlot"];

/// Makes all properties required in every schema that no request uses. Requests may omit optional
/// fields.
pub(super) fn mark_response_fields(document: &mut OpenApi) {
    let requested = schemas_of_requests(document);
    let Some(components) = &mut document.components else { return };
    for (name, schema) in &mut components.schemas {
        if !requested.contains(name) && !SPARSE.contains(&name.as_str()) {
            mark(schema);
        }
    }
}

fn mark(schema: &mut RefOr<Schema>) {
    let RefOr::T(schema) = schema else { return };
    match schema {
        Schema::Object(object) => {
            object.required = object.properties.keys().cloned().collect();
            object.properties.values_mut().for_each(mark);
            if let Some(AdditionalProperties::RefOr(values)) = object.additional_properties.as_deref_mut() {
                mark(values);
            }
        }
        Schema::Array(array) => {
            if let ArrayItems::RefOrSchema(items) = &mut array.items {
                mark(items);
            }
        }
        Schema::OneOf(one) => one.items.iter_mut().for_each(mark),
        Schema::AllOf(all) => all.items.iter_mut().for_each(mark),
        Schema::AnyOf(any) => any.items.iter_mut().for_each(mark),
        _ => {}
    }
}

/// Returns the names of all schemas that request bodies and parameters refer to, directly or
/// indirectly.
fn schemas_of_requests(document: &OpenApi) -> HashSet<String> {
    let document = serde_json::to_value(document).unwrap_or_default();
    let mut found = HashSet::new();
    let operations = document["paths"].as_object().into_iter().flat_map(|paths| paths.values());
    for operation in operations.filter_map(Value::as_object).flat_map(|methods| methods.values()) {
        collect(&operation["requestBody"], &document, &mut found);
        collect(&operation["parameters"], &document, &mut found);
    }
    found
}

fn collect(value: &Value, document: &Value, found: &mut HashSet<String>) {
    match value {
        Value::Object(fields) => {
            let name =
                fields.get("$ref").and_then(Value::as_str).and_then(|target| target.strip_prefix(SCHEMAS));
            if let Some(name) = name
                && found.insert(name.to_owned())
            {
                collect(&document["components"]["schemas"][name], document, found);
            }
            fields.values().for_each(|field| collect(field, document, found));
        }
        Value::Array(items) => items.iter().for_each(|item| collect(item, document, found)),
        _ => {}
    }
}
