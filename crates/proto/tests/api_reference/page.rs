//! The page: services first, then the messages and enumerations of each file.

use std::collections::BTreeMap;
use std::fmt::Write;

use prost_types::field_descriptor_proto::{Label, Type};
use prost_types::{
    DescriptorProto, EnumDescriptorProto, FieldDescriptorProto, FileDescriptorProto,
    FileDescriptorSet, ServiceDescriptorProto,
};

use crate::comments::Comments;

const PACKAGE: &str = "pawl.v1";

/// The numbers of fields in descriptor.proto, which comments are found by.
const FILE_MESSAGE: i32 = 4;
const FILE_ENUM: i32 = 5;
const FILE_SERVICE: i32 = 6;
const SERVICE_METHOD: i32 = 2;
const MESSAGE_FIELD: i32 = 2;
const MESSAGE_NESTED: i32 = 3;
const MESSAGE_ENUM: i32 = 4;
const ENUM_VALUE: i32 = 2;

const HEAD: &str = "# API reference\n\n\
    Everything that goes over the wire, from the comments in [`proto/pawl/v1`](../proto/README.md); `make docs` renews \
    this page. The manners that all calls share, such as pages, request ids and errors, stand [there](../proto/README.md#manners). \
    Each error reason has what to do about it on [its own page](error-reasons.md).\n";

/// Writes the page; the same descriptors give the same bytes.
pub(crate) fn write(files: &FileDescriptorSet) -> String {
    let files: BTreeMap<&str, &FileDescriptorProto> = files
        .file
        .iter()
        .filter(|file| file.package() == PACKAGE)
        .map(|file| (file.name(), file))
        .collect();
    let mut page = Page::default();
    page.text.push_str(HEAD);
    page.contents(&files);
    page.text.push_str("\n## Services\n");
    for file in files.values() {
        let comments = Comments::of(file);
        for (place, service) in (0..).zip(&file.service) {
            page.service(service, &comments, &[FILE_SERVICE, place]);
        }
    }
    for (name, file) in &files {
        page.file(name, file);
    }
    page.text
}

#[derive(Default)]
struct Page {
    text: String,
}

impl Page {
    fn line(&mut self, line: impl std::fmt::Display) {
        writeln!(self.text, "{line}").unwrap();
    }

    fn contents(&mut self, files: &BTreeMap<&str, &FileDescriptorProto>) {
        self.line("\n| service | does |\n|---|---|");
        for file in files.values() {
            let comments = Comments::of(file);
            for (place, service) in (0..).zip(&file.service) {
                let comment = cell(comments.at(&[FILE_SERVICE, place]));
                self.line(format_args!("| {} | {comment} |", link(service.name())));
            }
        }
        self.line("");
        self.line("The words they use, by file:\n");
        for (name, file) in files {
            let messages = file.message_type.iter().map(DescriptorProto::name);
            let enums = file.enum_type.iter().map(EnumDescriptorProto::name);
            let links: Vec<String> = messages.chain(enums).map(link).collect();
            self.line(format_args!("- {}: {}", short(name), links.join(", ")));
        }
    }

    fn service(&mut self, service: &ServiceDescriptorProto, comments: &Comments, path: &[i32]) {
        self.line(format_args!("\n### {}\n", service.name()));
        self.line(format_args!("{}\n", comments.at(path)));
        self.line("| call | takes | answers | does |\n|---|---|---|---|");
        for (place, method) in (0..).zip(&service.method) {
            let stream = |is_stream: bool| if is_stream { "stream of " } else { "" };
            self.line(format_args!(
                "| `{}` | {}{} | {}{} | {} |",
                method.name(),
                stream(method.client_streaming()),
                typed(method.input_type()),
                stream(method.server_streaming()),
                typed(method.output_type()),
                cell(comments.at(&[path, &[SERVICE_METHOD, place]].concat())),
            ));
        }
    }

    fn file(&mut self, name: &str, file: &FileDescriptorProto) {
        if file.message_type.is_empty() && file.enum_type.is_empty() {
            return;
        }
        let comments = Comments::of(file);
        self.line(format_args!("\n## {}", short(name)));
        for (place, message) in (0..).zip(&file.message_type) {
            self.message(message, "", &comments, &[FILE_MESSAGE, place]);
        }
        for (place, enumeration) in (0..).zip(&file.enum_type) {
            self.enumeration(enumeration, "", &comments, &[FILE_ENUM, place]);
        }
    }

    fn message(
        &mut self,
        message: &DescriptorProto,
        within: &str,
        comments: &Comments,
        path: &[i32],
    ) {
        let name = format!("{within}{}", message.name());
        self.line(format_args!("\n### {name}\n\n{}", comments.at(path)));
        if !message.field.is_empty() {
            self.line("\n| field | type | number | meaning |\n|---|---|---|---|");
        }
        for (place, field) in (0..).zip(&message.field) {
            let comment = comments.at(&[path, &[MESSAGE_FIELD, place]].concat());
            self.line(format_args!(
                "| `{}` | {} | {} | {}{} |",
                field.name(),
                field_type(field, message),
                field.number(),
                choice(field, message),
                cell(comment)
            ));
        }
        let within = format!("{name}.");
        for (place, nested) in (0..).zip(&message.nested_type) {
            if !is_map_entry(nested) {
                let path = [path, &[MESSAGE_NESTED, place]].concat();
                self.message(nested, &within, comments, &path);
            }
        }
        for (place, nested) in (0..).zip(&message.enum_type) {
            let path = [path, &[MESSAGE_ENUM, place]].concat();
            self.enumeration(nested, &within, comments, &path);
        }
    }

    fn enumeration(
        &mut self,
        enumeration: &EnumDescriptorProto,
        within: &str,
        comments: &Comments,
        path: &[i32],
    ) {
        self.line(format_args!(
            "\n### {within}{}\n\n{}\n",
            enumeration.name(),
            comments.at(path)
        ));
        self.line("| value | number | meaning |\n|---|---|---|");
        for (place, value) in (0..).zip(&enumeration.value) {
            let comment = comments.at(&[path, &[ENUM_VALUE, place]].concat());
            self.line(format_args!(
                "| `{}` | {} | {} |",
                value.name(),
                value.number(),
                cell(comment)
            ));
        }
    }
}

/// Says of which choice a field is one.
fn choice(field: &FieldDescriptorProto, message: &DescriptorProto) -> String {
    let choice = field.oneof_index.filter(|_| !field.proto3_optional());
    let name = choice
        .and_then(|index| usize::try_from(index).ok())
        .and_then(|index| message.oneof_decl.get(index))
        .map(|choice| choice.name());
    name.map_or(String::new(), |name| format!("One of `{name}`. "))
}

fn field_type(field: &FieldDescriptorProto, message: &DescriptorProto) -> String {
    let entry = message.nested_type.iter().find(|nested| {
        is_map_entry(nested) && field.type_name().ends_with(&format!(".{}", nested.name()))
    });
    if let Some([key, value]) = entry.map(|entry| entry.field.as_slice()) {
        return format!("map of {} to {}", bare_type(key), bare_type(value));
    }
    let prefix = match field.label() {
        Label::Repeated => "repeated ",
        _ if field.proto3_optional() => "optional ",
        _ => "",
    };
    format!("{prefix}{}", bare_type(field))
}

fn bare_type(field: &FieldDescriptorProto) -> String {
    match field.r#type() {
        Type::Message | Type::Enum | Type::Group => typed(field.type_name()),
        scalar => format!(
            "`{}`",
            scalar
                .as_str_name()
                .trim_start_matches("TYPE_")
                .to_lowercase()
        ),
    }
}

/// A type by its full name: a link if it is one of this page.
fn typed(name: &str) -> String {
    let name = name.trim_start_matches('.');
    match name
        .strip_prefix(PACKAGE)
        .and_then(|it| it.strip_prefix('.'))
    {
        Some(ours) => link(ours),
        None => format!("`{name}`"),
    }
}

fn link(name: &str) -> String {
    format!("[`{name}`](#{})", name.replace('.', "").to_lowercase())
}

fn short(file: &str) -> &str {
    file.rsplit('/').next().unwrap_or(file)
}

fn is_map_entry(message: &DescriptorProto) -> bool {
    message.options.as_ref().is_some_and(|it| it.map_entry())
}

/// Text in a cell of a table: a stroke would end it.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}
