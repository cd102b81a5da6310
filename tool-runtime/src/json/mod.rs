//! Placeholder until the json room lands.
#![allow(missing_docs)]
use std::borrow::Cow;

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    Integer(i128),
    Large(u128),
    Float(f64),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JsonType {
    Null,
    Boolean,
    Integer,
    Number,
    String,
    Array,
    Object,
}

#[derive(Clone, Debug)]
pub struct Json<'a> {
    pub node: Node<'a>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum Node<'a> {
    Null,
    Bool(bool),
    Number(Cow<'a, str>),
    String(Cow<'a, str>),
    Array(Vec<Json<'a>>),
    Object(Vec<Member<'a>>),
}

#[derive(Clone, Debug)]
pub struct Member<'a> {
    pub key: Cow<'a, str>,
    pub key_span: Span,
    pub value: Json<'a>,
}

#[derive(Clone, Copy, Debug, Default)]
pub struct Span {
    pub start: u32,
    pub end: u32,
}

pub fn write_string(out: &mut String, text: &str) {
    out.push_str(&format!("{text:?}"));
}
