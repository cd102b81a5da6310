//! A llama.cpp server on this machine: requests that a chat client cannot make.

use std::io::{Error, Read, Write};
use std::net::TcpStream;

use serde_json::{Value, json};

/// The address of a server, such as `127.0.0.1:18080`.
#[derive(Clone, Debug)]
pub struct Server(pub String);

impl Server {
    /// Sends a request and returns its answer.
    ///
    /// # Errors
    ///
    /// Fails if the server cannot be reached or does not answer with JSON.
    pub fn post(&self, path: &str, body: &Value) -> Result<Value, Error> {
        let mut stream = TcpStream::connect(&self.0)?;
        let body = body.to_string();
        let (host, length) = (&self.0, body.len());
        write!(
            stream,
            "POST {path} HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}"
        )?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer)?;
        let (head, content) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
        if !head.lines().next().is_some_and(|status| status.contains(" 200 ")) {
            return Err(Error::other(format!("{path}: {answer}")));
        }
        Ok(serde_json::from_str(content)?)
    }

    /// Returns the logarithm of the probability that an answer of the model that has this start continues with a text.
    ///
    /// # Errors
    ///
    /// Fails if the server does not answer as llama.cpp does.
    pub fn likelihood(&self, messages: &Value, start: &str, text: &str) -> Result<f64, Error> {
        let prompt = self.post("/apply-template", &json!({"messages": messages}))?["prompt"].take();
        let prompt = format!("{}{start}", prompt.as_str().unwrap_or_default());
        // A grammar with a single text forces its tokens. Their probabilities are those without the grammar.
        let grammar = format!("root ::= {}", Value::from(text));
        let request = json!({
            "prompt": prompt, "grammar": grammar, "n_predict": 400, "n_probs": 1, "temperature": 0, "seed": 1, "cache_prompt": true,
        });
        let answer = self.post("/completion", &request)?;
        let tokens = answer["completion_probabilities"].as_array().map_or(&[][..], Vec::as_slice);
        if answer["content"].as_str().map(str::trim) != Some(text.trim()) {
            return Err(Error::other(format!("the server did not write the text that was forced: {answer}")));
        }
        Ok(tokens.iter().filter_map(|token| token["logprob"].as_f64()).sum())
    }
}
