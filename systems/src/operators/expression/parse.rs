//! Parser from tokens to a program, by recursive descent.
//!
//! ```text
//! sum     = product {("+" | "-") product}
//! product = signed {("*" | "/") signed}
//! signed  = ["+" | "-"] signed | power
//! power   = atom ["^" signed]
//! atom    = number | "(" sum ")" | name | name "[" number "]" | name "(" sum ["," sum] ")"
//! ```

use super::program::{Instruction, Program};
use super::tokens::{DECIDE, Token, is_name, tokens};
use crate::operators::{Binary, Elementary};
use kinegraph_core::names::nearest;
use kinegraph_core::parameter::ParameterError;

/// Maximum nesting: the parser calls itself once per level.
const NESTING: usize = 100;

/// Checks the names of inputs.
pub(super) fn check_names(inputs: &[(&str, usize)]) -> Result<(), ParameterError> {
    for (i, (name, _)) in inputs.iter().enumerate() {
        let taken = matches!(*name, "t" | "pi") || Elementary::named(name).is_some() || Binary::named(name).is_some();
        let message = if !is_name(name) {
            "an input's name consists of letters, digits and `_` and begins with a letter"
        } else if taken {
            "an input cannot have this name, which has a meaning in expressions"
        } else if inputs[..i].iter().any(|(other, _)| other == name) {
            "there are two inputs of this name"
        } else {
            continue;
        };
        return Err(ParameterError::Expression { expression: (*name).into(), column: 1, message: message.into() });
    }
    Ok(())
}

/// Meaning of the names in an expression.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Meaning {
    /// Inputs of a block and the time.
    Signals,
    /// Numbers that are known before a run, written `$name`.
    NamedNumbers,
}

/// The program of an expression.
pub(super) fn parse(text: &str, inputs: &[(&str, usize)], meaning: Meaning) -> Result<Program, ParameterError> {
    let fault = |(column, message)| ParameterError::Expression { expression: text.into(), column, message };
    let tokens = tokens(text).map_err(fault)?;
    let mut parser = Parser { tokens, at: 0, inputs, meaning, level: 0, program: Vec::new() };
    parser.sum().map_err(fault)?;
    if *parser.peek() != Token::End {
        let (column, message) = parser.unexpected("an operator or the end");
        let hint = match parser.peek() {
            Token::Name(name) if is_decision(name) => DECIDE,
            Token::Name(_) | Token::Number(_) | Token::Sign('(') => ": a product is written with `*`",
            _ => "",
        };
        return Err(fault((column, message + hint)));
    }
    Program::new(parser.program).ok_or_else(|| fault((1, "too many intermediate results: split the expression".into())))
}

/// Column and message of a fault.
type Fault = (usize, String);

struct Parser<'a> {
    tokens: Vec<(usize, Token)>,
    at: usize,
    inputs: &'a [(&'a str, usize)],
    meaning: Meaning,
    level: usize,
    program: Vec<Instruction>,
}

impl Parser<'_> {
    fn peek(&self) -> &Token {
        &self.tokens[self.at].1
    }

    fn column(&self) -> usize {
        self.tokens[self.at].0
    }

    /// Moves to the next token; stays at the end.
    fn advance(&mut self) {
        self.at = (self.at + 1).min(self.tokens.len() - 1);
    }

    /// Moves past `sign` if it is the next token, and returns true then.
    fn accept(&mut self, sign: char) -> bool {
        let found = *self.peek() == Token::Sign(sign);
        if found {
            self.advance();
        }
        found
    }

    fn expect(&mut self, sign: char) -> Result<(), Fault> {
        if self.accept(sign) { Ok(()) } else { Err(self.unexpected(&format!("`{sign}`"))) }
    }

    fn unexpected(&self, expected: &str) -> Fault {
        (self.column(), format!("expected {expected}, found {}", self.peek()))
    }

    fn sum(&mut self) -> Result<(), Fault> {
        self.product()?;
        loop {
            let instruction = match self.peek() {
                Token::Sign('+') => Instruction::Add,
                Token::Sign('-') => Instruction::Subtract,
                _ => return Ok(()),
            };
            self.advance();
            self.product()?;
            self.program.push(instruction);
        }
    }

    fn product(&mut self) -> Result<(), Fault> {
        self.signed()?;
        loop {
            let instruction = match self.peek() {
                Token::Sign('*') => Instruction::Multiply,
                Token::Sign('/') => Instruction::Divide,
                _ => return Ok(()),
            };
            self.advance();
            self.signed()?;
            self.program.push(instruction);
        }
    }

    /// Parses `signed`. Every recursion passes here, so levels are counted here.
    fn signed(&mut self) -> Result<(), Fault> {
        self.level += 1;
        if self.level > NESTING {
            return Err((self.column(), format!("nested deeper than {NESTING} levels")));
        }
        if self.accept('-') {
            self.signed()?;
            self.program.push(Instruction::Negate);
        } else if self.accept('+') {
            self.signed()?;
        } else {
            self.power()?;
        }
        self.level -= 1;
        Ok(())
    }

    fn power(&mut self) -> Result<(), Fault> {
        self.atom()?;
        if self.accept('^') {
            let start = self.program.len();
            self.signed()?;
            match whole(&self.program[start..]) {
                Some(exponent) => {
                    self.program.truncate(start);
                    self.program.push(Instruction::WholePower(exponent));
                }
                None => self.program.push(Instruction::Binary(Binary::Power)),
            }
        }
        Ok(())
    }

    fn atom(&mut self) -> Result<(), Fault> {
        let column = self.column();
        match self.peek().clone() {
            Token::Number(value) => {
                self.advance();
                self.program.push(Instruction::Number(value));
                Ok(())
            }
            Token::Name(name) => {
                self.advance();
                self.named(&name, column)
            }
            Token::Sign('(') => {
                self.advance();
                self.sum()?;
                self.expect(')')
            }
            sign => {
                let (column, message) = self.unexpected("a number, a name or `(`");
                let before = self.at.checked_sub(1).map(|before| &self.tokens[before]);
                // Signs without a space between are one sign of another language.
                let joined = before.filter(|(at, before)| at + 1 == column && *before == sign).is_some();
                let hint = match sign {
                    Token::Sign('*') if joined => ": a power is written `a^b`",
                    Token::Sign('/') if joined => ": the whole part of a quotient is `floor(a/b)`",
                    _ => "",
                };
                Err((column, message + hint))
            }
        }
    }

    fn named(&mut self, name: &str, column: usize) -> Result<(), Fault> {
        let instruction = if let Some(function) = Elementary::named(name) {
            self.expect('(')?;
            self.sum()?;
            self.end_arguments(name, 1)?;
            Instruction::Unary(function)
        } else if let Some(function) = Binary::named(name) {
            self.expect('(')?;
            self.sum()?;
            if !self.accept(',') {
                return Err(self.wrong_count(name, 2, "`,`"));
            }
            self.sum()?;
            self.end_arguments(name, 2)?;
            Instruction::Binary(function)
        } else if name == "pi" {
            Instruction::Number(std::f64::consts::PI)
        } else if name == "t" && self.meaning == Meaning::NamedNumbers {
            return Err((column, NO_TIME.into()));
        } else if name == "t" {
            Instruction::Time
        } else {
            self.input(name, column)?
        };
        self.program.push(instruction);
        Ok(())
    }

    /// Expects the parenthesis after the arguments of a function of `count` arguments.
    fn end_arguments(&mut self, name: &str, count: usize) -> Result<(), Fault> {
        if self.accept(')') { Ok(()) } else { Err(self.wrong_count(name, count, "`)`")) }
    }

    /// The fault of a missing `expected`, with the number of arguments if there are too few or too many.
    fn wrong_count(&self, name: &str, count: usize, expected: &str) -> Fault {
        let (column, message) = self.unexpected(expected);
        match *self.peek() {
            Token::Sign(',') | Token::Sign(')') if count == 1 => {
                (column, format!("{message}: {name}(a) takes one number"))
            }
            Token::Sign(',') | Token::Sign(')') => (column, format!("{message}: {name}(a, b) takes two numbers")),
            _ => (column, message),
        }
    }

    fn input(&mut self, name: &str, column: usize) -> Result<Instruction, Fault> {
        let Some(index) = self.inputs.iter().position(|(input, _)| *input == name) else {
            return Err((column, self.unknown_name(name)));
        };
        let width = self.inputs[index].1;
        if !self.accept('[') {
            let message = || format!("the input `{name}` has {width} elements: write `{name}[0]` for the first one");
            return if width == 1 { Ok(Instruction::Input(index, 0)) } else { Err((column, message())) };
        }
        match *self.peek() {
            Token::Number(element) if element.fract() == 0.0 && element < width as f64 => {
                self.advance();
                self.expect(']')?;
                Ok(Instruction::Input(index, element as usize))
            }
            _ => Err(self.unexpected(&format!("the number of an element, below {width}"))),
        }
    }

    /// Message about an unknown name.
    fn unknown_name(&self, name: &str) -> String {
        if is_decision(name) {
            return format!("`{name}` is no function{DECIDE}");
        }
        if let (Some(parameter), Meaning::Signals) = (name.strip_prefix('$'), self.meaning) {
            return format!(
                "`{name}` is no input: wire a `constant` with `value: {name}` to an input, such as `{parameter}`"
            );
        }
        if let Some(instead) = instead_of(name) {
            return format!("`{name}` is not known; write `{instead}`");
        }
        if self.meaning == Meaning::NamedNumbers {
            let known = functions().chain(["pi"]);
            let function = nearest(name, known).map_or_else(String::new, |near| format!(", or did you mean `{near}`?"));
            return format!("`{name}` is no function; a parameter is written `${name}`{function}");
        }
        let known = self.inputs.iter().map(|(input, _)| *input).chain(["t", "pi"]).chain(functions());
        match nearest(name, known) {
            Some(known) => format!("`{name}` is not known; did you mean `{known}`?"),
            None => {
                let inputs: Vec<String> = self.inputs.iter().map(|(input, _)| format!("`{input}`")).collect();
                let inputs = if inputs.is_empty() { "there are none".to_owned() } else { inputs.join(", ") };
                format!("`{name}` is neither an input nor a function (inputs: {inputs}; the time is `t`)")
            }
        }
    }
}

/// Names of all functions.
fn functions<'a>() -> impl Iterator<Item = &'a str> {
    Elementary::NAMES.iter().map(|(name, _)| *name).chain(Binary::NAMES.iter().map(|(name, _)| *name))
}

/// Message about the time in a formula of named numbers.
const NO_TIME: &str = "`t` is no parameter: such a formula has one value, found before the run; what changes with time \
                       is a block of type `expression`";

/// True if other languages use this word for conditions.
fn is_decision(name: &str) -> bool {
    matches!(name, "if" | "iif" | "ifelse" | "else" | "where" | "and" | "or" | "not" | "cond")
}

/// The function that another language calls by this name.
fn instead_of(name: &str) -> Option<&'static str> {
    Some(match name {
        "time" | "T" => "t",
        "ln" => "log(x)",
        "e" | "E" => "exp(x)",
        "pow" => "a^b",
        "clip" | "clamp" | "saturate" => "max(low, min(x, high))",
        "mod" | "fmod" | "rem" => "a - b*floor(a/b)",
        "log2" => "log(x)/log(2)",
        "cbrt" => "power(x, 1/3)",
        "deg2rad" | "radians" => "x*pi/180",
        "rad2deg" | "degrees" => "x*180/pi",
        _ => return None,
    })
}

/// The exponent, if it is a whole number without inputs and time. A general power of a negative number has no
/// derivative.
fn whole(program: &[Instruction]) -> Option<i32> {
    let value = Program::new(program.to_vec()).filter(Program::is_constant)?.run(0.0, |_, _| 0.0);
    (value.fract() == 0.0 && value.abs() <= 1000.0).then_some(value as i32)
}
