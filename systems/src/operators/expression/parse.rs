//! Parser from tokens to a program, by recursive descent.
//!
//! ```text
//! either  = both {"or" both}
//! both    = negated {"and" negated}
//! negated = "not" negated | compared
//! compared = sum [(">" | ">=" | "<" | "<=" | "==" | "!=") sum]
//! sum     = product {("+" | "-") product}
//! product = signed {("*" | "/") signed}
//! signed  = ["+" | "-"] signed | power
//! power   = atom ["^" signed]
//! atom    = number | "(" either ")" | name | name "[" number "]" | name "(" either {"," either} ")"
//! ```

use super::comparison::Comparison;
use super::program::{Instruction, Program};
use super::tokens::{Token, is_name, tokens_of};
use crate::operators::{Binary, Elementary};
use kinegraph_core::logic::TRUE_ABOVE;
use kinegraph_core::names::nearest;
use kinegraph_core::parameter::ParameterError;

/// Maximum nesting: the parser calls itself once per level.
const NESTING: usize = 100;

/// Checks the names of inputs.
pub(super) fn check_names(inputs: &[(&str, usize)]) -> Result<(), ParameterError> {
    for (i, (name, _)) in inputs.iter().enumerate() {
        let fault = |message| ParameterError::Expression { expression: (*name).into(), column: 1, message };
        check_name(inputs, i).map_err(fault)?;
    }
    Ok(())
}

/// Checks the name of input `i`.
pub(crate) fn check_name(inputs: &[(&str, usize)], i: usize) -> Result<(), String> {
    let name = inputs[i].0;
    let taken = RESERVED.contains(&name) || Elementary::named(name).is_some() || Binary::named(name).is_some();
    Err(if !is_name(name) {
        "such a name consists of letters, digits and `_` and begins with a letter".into()
    } else if taken {
        "this is no name for an input or a variable: it has a meaning in expressions".into()
    } else if inputs[..i].iter().any(|(other, _)| *other == name) {
        "this name is given twice".into()
    } else {
        return Ok(());
    })
}

/// Names with a meaning besides those of functions.
const RESERVED: [&str; 7] = ["t", "pi", "and", "or", "not", "if", "clamp"];

/// Meaning of the names in an expression.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Meaning {
    /// Inputs of a block and the time.
    Signals,
    /// Numbers that are known before a run, written `$name`.
    NamedNumbers,
    /// Inputs of a block, the time, and times since an entry: `after 0.2 s`, `every 10 ms`.
    Guard,
    /// Channels of a diagram and the time. Names are those that are found in the text.
    Channels,
}

/// The program of an expression.
pub(super) fn parse(text: &str, inputs: &[(&str, usize)], meaning: Meaning) -> Result<Program, ParameterError> {
    parse_with_periods(text, inputs, meaning).map(|(program, _)| program)
}

/// The program of an expression, and the periods \[s\] of each `every` in it. In a guard the time since the entry is
/// the input behind the others, and the inputs behind that are 1 at the instants of each `every`.
pub(super) fn parse_with_periods(
    text: &str,
    inputs: &[(&str, usize)],
    meaning: Meaning,
) -> Result<(Program, Vec<f64>), ParameterError> {
    let fault = |(column, message)| ParameterError::Expression { expression: text.into(), column, message };
    let names: Vec<&str> = inputs.iter().map(|(name, _)| *name).collect();
    let channels = (meaning == Meaning::Channels).then_some(&names[..]);
    let tokens = tokens_of(text, channels).map_err(fault)?;
    let mut parser =
        Parser { tokens, at: 0, inputs, meaning, level: 0, comparisons: 0, program: Vec::new(), periods: Vec::new() };
    parser.either().map_err(fault)?;
    if *parser.peek() != Token::End {
        let (column, message) = parser.unexpected("an operator or the end");
        let hint = match parser.peek() {
            Token::Compare(_) => ": of three numbers, write `a < b and b < c`",
            Token::Name(_) | Token::Number(_) | Token::Sign('(') => ": a product is written with `*`",
            _ => "",
        };
        return Err(fault((column, message + hint)));
    }
    let Parser { program, periods, .. } = parser;
    let program = Program::new(program)
        .ok_or_else(|| fault((1, "too many intermediate results: split the expression".into())))?;
    Ok((program, periods))
}

/// Column and message of a fault.
type Fault = (usize, String);

struct Parser<'a> {
    tokens: Vec<(usize, Token)>,
    at: usize,
    inputs: &'a [(&'a str, usize)],
    meaning: Meaning,
    level: usize,
    comparisons: usize,
    program: Vec<Instruction>,
    /// Periods \[s\] of each `every`.
    periods: Vec<f64>,
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

    /// Moves past `word` if it is the next token, and returns true then.
    fn accept_word(&mut self, word: &str) -> bool {
        let found = matches!(self.peek(), Token::Name(name) if name == word);
        if found {
            self.advance();
        }
        found
    }

    /// Counts a level of nesting around `part`.
    fn nested(&mut self, part: fn(&mut Self) -> Result<(), Fault>) -> Result<(), Fault> {
        self.level += 1;
        if self.level > NESTING {
            return Err((self.column(), format!("nested deeper than {NESTING} levels")));
        }
        part(self)?;
        self.level -= 1;
        Ok(())
    }

    fn either(&mut self) -> Result<(), Fault> {
        self.both()?;
        while self.accept_word("or") {
            self.truth();
            self.both()?;
            self.truth();
            self.program.push(Instruction::Or);
        }
        Ok(())
    }

    fn both(&mut self) -> Result<(), Fault> {
        self.negated()?;
        while self.accept_word("and") {
            self.truth();
            self.negated()?;
            self.truth();
            self.program.push(Instruction::And);
        }
        Ok(())
    }

    fn negated(&mut self) -> Result<(), Fault> {
        if self.accept_word("not") {
            self.nested(Self::negated)?;
            self.truth();
            self.program.push(Instruction::Not);
            return Ok(());
        }
        self.compared()
    }

    fn compared(&mut self) -> Result<(), Fault> {
        self.sum()?;
        if let Token::Compare(comparison) = *self.peek() {
            self.advance();
            self.sum()?;
            self.compare(comparison);
        }
        Ok(())
    }

    fn compare(&mut self, comparison: Comparison) {
        self.program.push(Instruction::Compare(comparison, self.comparisons));
        self.comparisons += 1;
    }

    /// Makes a number that is used as a condition a comparison, so that its change of truth is one of a comparison.
    fn truth(&mut self) {
        use Instruction::{And, Compare, Not, Or};
        if !matches!(self.program.last(), Some(Compare(..) | And | Or | Not)) {
            self.program.push(Instruction::Number(TRUE_ABOVE));
            self.compare(Comparison::Greater);
        }
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

    /// Parses `signed`. Every recursion passes here or by `not`, so levels are counted there.
    fn signed(&mut self) -> Result<(), Fault> {
        self.nested(|parser| {
            if parser.accept('-') {
                parser.signed()?;
                parser.program.push(Instruction::Negate);
                Ok(())
            } else if parser.accept('+') {
                parser.signed()
            } else {
                parser.power()
            }
        })
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
                self.either()?;
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
            self.arguments(name, 1)?;
            Instruction::Unary(function)
        } else if let Some(function) = Binary::named(name) {
            self.arguments(name, 2)?;
            Instruction::Binary(function)
        } else if name == "if" {
            self.arguments(name, 3)?;
            Instruction::If
        } else if name == "clamp" {
            return self.clamp();
        } else if self.meaning == Meaning::Guard && matches!(name, "after" | "every") {
            return self.timed(name);
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

    /// Parses the arguments of a function of `count` arguments.
    fn arguments(&mut self, name: &str, count: usize) -> Result<(), Fault> {
        self.expect('(')?;
        for argument in 0..count {
            if argument > 0 {
                self.next_argument(name, count)?;
            }
            self.either()?;
            if argument == 0 && name == "if" {
                self.truth();
            }
        }
        if self.accept(')') { Ok(()) } else { Err(self.wrong_count(name, count, "`)`")) }
    }

    fn next_argument(&mut self, name: &str, count: usize) -> Result<(), Fault> {
        if self.accept(',') { Ok(()) } else { Err(self.wrong_count(name, count, "`,`")) }
    }

    /// Parses the arguments of `clamp(x, low, high)`, which is `min(max(x, low), high)`.
    fn clamp(&mut self) -> Result<(), Fault> {
        self.expect('(')?;
        self.either()?;
        for bound in [Binary::Max, Binary::Min] {
            self.next_argument("clamp", 3)?;
            self.either()?;
            self.program.push(Instruction::Binary(bound));
        }
        if self.accept(')') { Ok(()) } else { Err(self.wrong_count("clamp", 3, "`)`")) }
    }

    /// The fault of a missing `expected`, with the number of arguments if there are too few or too many.
    fn wrong_count(&self, name: &str, count: usize, expected: &str) -> Fault {
        let (column, message) = self.unexpected(expected);
        let takes = match (name, count) {
            ("if", _) => "if(condition, a, b) takes three".to_owned(),
            ("clamp", _) => "clamp(x, low, high) takes three numbers".to_owned(),
            (_, 1) => format!("{name}(a) takes one number"),
            _ => format!("{name}(a, b) takes two numbers"),
        };
        match *self.peek() {
            Token::Sign(',') | Token::Sign(')') => (column, format!("{message}: {takes}")),
            _ => (column, message),
        }
    }

    /// Parses the time of `after 0.2 s` or `every 10 ms`.
    fn timed(&mut self, word: &str) -> Result<(), Fault> {
        let (column, start) = (self.column(), self.program.len());
        self.atom()?;
        let time = Program::new(self.program.split_off(start)).filter(Program::is_constant);
        let Some(time) = time.map(|time| time.run(0.0, |_, _| 0.0)) else {
            return Err((column, format!("`{word}` takes a time that does not change, such as `{word} 0.2 s`")));
        };
        let unit = match self.peek().clone() {
            Token::Name(name) => TIMES.iter().find(|(unit, _)| *unit == name).map(|(_, factor)| *factor),
            _ => None,
        };
        if unit.is_some() {
            self.advance();
        }
        let time = time * unit.unwrap_or(1.0);
        if !(time.is_finite() && (time > 0.0 || word == "after" && time == 0.0)) {
            return Err((column, format!("`{word}` takes a time above 0 s, this is {time} s")));
        }
        let elapsed = self.inputs.len();
        if word == "after" {
            self.program.extend([Instruction::Input(elapsed, 0), Instruction::Number(time)]);
            self.compare(Comparison::AtLeast);
        } else {
            self.periods.push(time);
            self.program.push(Instruction::Input(elapsed + self.periods.len(), 0));
            self.truth();
        }
        Ok(())
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
        if let (Some(parameter), Meaning::Signals) = (name.strip_prefix('$'), self.meaning) {
            return format!(
                "`{name}` is no input: wire a `constant` with `value: {name}` to an input, such as `{parameter}`"
            );
        }
        if let Some(instead) = instead_of(name) {
            return format!("`{name}` is not known; write `{instead}`");
        }
        if self.meaning == Meaning::Channels {
            return format!("`{name}`{NO_CHANNEL}");
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

/// Units of time \[s\].
const TIMES: [(&str, f64); 5] = [("s", 1.0), ("ms", 1e-3), ("us", 1e-6), ("min", 60.0), ("h", 3600.0)];

/// Names of all functions.
fn functions<'a>() -> impl Iterator<Item = &'a str> {
    Elementary::NAMES
        .iter()
        .map(|(name, _)| *name)
        .chain(Binary::NAMES.iter().map(|(name, _)| *name))
        .chain(["if", "clamp"])
}

/// Message about a name that is no channel, behind the name.
pub(super) const NO_CHANNEL: &str = " is no channel of the diagram";

/// Message about the time in a formula of named numbers.
const NO_TIME: &str = "`t` is no parameter: such a formula has one value, found before the run; what changes with time \
                       is a block of type `expression`";

/// The function that another language calls by this name.
fn instead_of(name: &str) -> Option<&'static str> {
    Some(match name {
        "time" | "T" => "t",
        "ln" => "log(x)",
        "e" | "E" => "exp(x)",
        "pow" => "a^b",
        "clip" | "saturate" => "clamp(x, low, high)",
        "iif" | "ifelse" | "where" | "cond" => "if(condition, a, b)",
        "else" => "if(condition, a, b)",
        "true" | "True" => "1",
        "false" | "False" => "0",
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
