//! The id of a message that is too long to be parsed, or not valid: [`IdSearch`].
//!
//! Invariant: each byte is inspected once, and the memory is bounded for any message.

use rmcp::model::RequestId;

/// The maximum number of bytes that are kept of a key or an id. The ids of our own requests are shorter.
const LONGEST: usize = 256;

/// A search for the id in a JSON-RPC request or response that arrives byte by byte.
#[derive(Default)]
pub struct IdSearch {
    depth: usize,
    is_in_string: bool,
    is_escaped: bool,
    /// `true` if the outermost value is an object.
    is_object: bool,
    /// `true` after `{` or `,` of the outermost object, until its next `:`.
    expects_key: bool,
    is_in_id: bool,
    key: Vec<u8>,
    id: Vec<u8>,
    is_response: bool,
    is_request: bool,
    /// The number of members `id` that have ended.
    ids: usize,
}

impl IdSearch {
    /// Reads the next bytes of the message.
    pub fn feed(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.feed_byte(byte);
        }
    }

    fn feed_byte(&mut self, byte: u8) {
        if self.is_in_id && !(self.depth == 1 && !self.is_in_string && matches!(byte, b',' | b'}')) {
            push(&mut self.id, byte);
        }
        if self.is_in_string {
            match byte {
                _ if self.is_escaped => self.is_escaped = false,
                b'\\' => self.is_escaped = true,
                b'"' => self.is_in_string = false,
                _ => {}
            }
            if self.is_in_string && self.depth == 1 && self.expects_key {
                push(&mut self.key, byte);
            }
            return;
        }
        match byte {
            b'"' => {
                self.is_in_string = true;
                self.key.clear();
            }
            b'{' | b'[' => {
                self.depth += 1;
                if self.depth == 1 {
                    self.is_object = byte == b'{';
                    self.expects_key = self.is_object;
                }
            }
            b'}' | b']' => {
                self.end_of_member();
                self.depth = self.depth.saturating_sub(1);
            }
            b',' => {
                self.end_of_member();
                self.expects_key = self.depth == 1 && self.is_object;
            }
            b':' if self.depth == 1 && self.expects_key => {
                self.expects_key = false;
                match &*self.key {
                    b"id" => self.is_in_id = true,
                    b"result" | b"error" => self.is_response = true,
                    b"method" => self.is_request = true,
                    _ => {}
                }
            }
            _ => {}
        }
    }

    fn end_of_member(&mut self) {
        if self.depth == 1 && self.is_in_id {
            self.is_in_id = false;
            self.ids += 1;
        }
    }

    /// Returns the id, if the message is a response and its id has been seen.
    pub fn response_id(&self) -> Option<RequestId> {
        (self.is_response && !self.is_request).then(|| self.id()).flatten()
    }

    /// Returns `true` if the message has a method and no result.
    pub fn is_request(&self) -> bool {
        self.is_request && !self.is_response
    }

    /// Returns the id, if the message is a request. Only the end of a message shows that it is not a response.
    pub fn request_id(&self) -> Option<RequestId> {
        (self.is_request && !self.is_response).then(|| self.id()).flatten()
    }

    fn id(&self) -> Option<RequestId> {
        (self.ids == 1).then(|| serde_json::from_slice(&self.id).ok()).flatten()
    }
}

fn push(bytes: &mut Vec<u8>, byte: u8) {
    if bytes.len() < LONGEST {
        bytes.push(byte);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn response_id(text: &str) -> Option<RequestId> {
        let mut search = IdSearch::default();
        search.feed(text.as_bytes());
        search.response_id()
    }

    #[test]
    fn a_response_names_its_request() {
        for text in [
            r#"{"jsonrpc":"2.0","id":7,"result":{"id":8,"content":["#,
            r#"{"jsonrpc":"2.0", "result" : {"id":[8,{"id":9}],"x":"}\"],"}, "id" : 7 }"#,
            r#"{"id":7,"error":{"code":1,"message":"#,
            r#" {"result":"\\","id":7}"#,
        ] {
            assert_eq!(response_id(text), Some(RequestId::Number(7)), "{text}");
        }
        assert_eq!(response_id(r#"{"id":"a,b}","result":1"#), Some(RequestId::String("a,b}".into())));
    }

    #[test]
    fn a_request_names_itself() {
        let request_id = |text: &str| {
            let mut search = IdSearch::default();
            search.feed(text.as_bytes());
            search.request_id()
        };
        assert_eq!(request_id(r#"{"id":7,"method":"tools/call","params":{"id":8,"a":["#), Some(RequestId::Number(7)));
        assert_eq!(
            request_id(r#"{"method":"ping","params":[{"id":9}],"id":"a"}"#),
            Some(RequestId::String("a".into()))
        );
        for text in
            [r#"{"id":7,"result":1,"method":"ping"}"#, r#"{"method":"ping"}"#, r#"{"id":7,"method":"a","id":8}"#]
        {
            assert_eq!(request_id(text), None, "{text}");
        }
    }

    #[test]
    fn nothing_else_names_one() {
        for text in [
            r#"{"jsonrpc":"2.0","id":7,"method":"ping"}"#,
            r#"{"jsonrpc":"2.0","method":"notifications/x","params":{"id":7,"result":1}}"#,
            r#"{"result":{"id":7}}"#,
            r#"["id":7,"result":1]"#,
            r#"{"id":null,"result":1}"#,
            r#"{"id":7,"result":1,"id":8}"#,
            r#"{"id":{"id":7},"result":1}"#,
            r#"{"key":"id","result":1}"#,
            "garbage \"id\": 7, \"result\": 1",
            "]]]]}}}},,,,::::",
            "",
        ] {
            assert_eq!(response_id(text), None, "{text}");
        }
        assert_eq!(response_id(&format!(r#"{{"id":"{}","result":1}}"#, "x".repeat(1_000))), None);
    }
}
