//! The servers of resources, by their URIs: [`Resources`].
//!
//! Invariant: the number of remembered URIs is bounded.

use std::collections::HashMap;

use super::super::access::fits;

/// The largest number of remembered URIs of unlisted resources.
const MOST: usize = 10_000;
/// The largest number of bytes of a remembered URI.
const LONGEST: usize = 4_096;

/// The servers of the listed resources and templates, and of unlisted resources that were read.
#[derive(Default)]
pub(super) struct Resources {
    listed: HashMap<Box<str>, usize>,
    /// The patterns of templates, in which `*` stands for any text, with their templates.
    templates: Vec<(Box<str>, Box<str>, usize)>,
    read: HashMap<Box<str>, usize>,
}

/// The servers that may have a resource.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Owner {
    One(usize),
    /// The servers whose templates fit, the best first. It is not certain that one of them has the resource.
    Likely(Vec<usize>),
}

impl Resources {
    /// Forgets the listed resources of a server.
    pub(super) fn forget(&mut self, server: usize) {
        self.listed.retain(|_, owner| *owner != server);
    }

    /// Forgets the templates of a server.
    pub(super) fn forget_templates(&mut self, server: usize) {
        self.templates.retain(|(.., owner)| *owner != server);
    }

    /// Adds a listed resource. The first server that lists a URI keeps it.
    pub(super) fn add(&mut self, uri: &str, server: usize) {
        self.listed.entry(uri.into()).or_insert(server);
    }

    /// Adds a template.
    pub(super) fn add_template(&mut self, template: &str, server: usize) {
        self.templates.push((pattern(template).into(), template.into(), server));
    }

    /// Notes that a server has answered a request for a resource.
    pub(super) fn learn(&mut self, uri: &str, server: usize) {
        if uri.len() > LONGEST || self.listed.contains_key(uri) {
            return;
        }
        if self.read.len() >= MOST {
            self.read.clear();
        }
        self.read.insert(uri.into(), server);
    }

    /// Returns the servers that may have a resource, or the template of a resource.
    pub(super) fn owner(&self, uri: &str) -> Owner {
        if let Some(server) = self.listed.get(uri).or_else(|| self.read.get(uri)) {
            return Owner::One(*server);
        }
        if let Some((.., server)) = self.templates.iter().find(|(_, template, _)| **template == *uri) {
            return Owner::One(*server);
        }
        let mut likely = Vec::new();
        for (pattern, _, server) in &self.templates {
            if !likely.contains(server) && fits(pattern, uri) {
                likely.push(*server);
            }
        }
        Owner::Likely(likely)
    }
}

/// Returns a URI template as a pattern, in which `*` stands for any text.
fn pattern(template: &str) -> String {
    let mut pattern = String::new();
    let mut rest = template;
    while let Some((literal, after)) = rest.split_once('{') {
        pattern.push_str(literal);
        pattern.push('*');
        rest = after.split_once('}').map_or("", |(_, rest)| rest);
    }
    pattern + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_resource_belongs_to_the_server_that_lists_it_or_has_a_template_for_it() {
        let mut resources = Resources::default();
        resources.add("file:///a", 1);
        resources.add("file:///a", 0);
        resources.add_template("file:///{path}", 2);
        resources.add_template("db://{table}/rows{?limit}", 0);
        assert_eq!(resources.owner("file:///a"), Owner::One(1));
        assert_eq!(resources.owner("file:///b"), Owner::Likely(vec![2]));
        assert_eq!(resources.owner("db://x/rows?limit=1"), Owner::Likely(vec![0]));
        assert_eq!(resources.owner("db://{table}/rows{?limit}"), Owner::One(0));
        assert_eq!(resources.owner("memo://1"), Owner::Likely(Vec::new()));
        resources.learn("memo://1", 1);
        assert_eq!(resources.owner("memo://1"), Owner::One(1));
        resources.forget(1);
        assert_eq!(resources.owner("file:///a"), Owner::Likely(vec![2]));
    }

    #[test]
    fn the_memory_for_unlisted_resources_is_bounded() {
        let mut resources = Resources::default();
        for number in 0..100_000 {
            resources.learn(&format!("memo://{number}"), 0);
        }
        resources.learn(&"x".repeat(LONGEST + 1), 0);
        assert!(resources.read.len() <= MOST);
        assert_eq!(resources.owner("memo://99999"), Owner::One(0));
    }
}
