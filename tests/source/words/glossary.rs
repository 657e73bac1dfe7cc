//! The table of words that are no longer used: `` | `word`, `word` | where | term | ``.

/// Words that are looked for everywhere, names of code, names of constant numbers; each with its term.
#[derive(Default)]
pub struct Glossary {
    /// The words of a phrase in lower case.
    phrases: Vec<(Vec<String>, String)>,
    names: Vec<(String, String)>,
    numbers: Vec<(String, String)>,
}

impl Glossary {
    /// The rows below the heading "Words this project no longer uses".
    pub fn read(text: &str) -> Self {
        let mut glossary = Glossary::default();
        let (_, table) = text.split_once("## Words this project no longer uses").expect("the table");
        let table = table.split("\n## ").next().expect("a part");
        for row in table.lines().filter(|line| line.starts_with("| `")) {
            let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
            let &[words, place, term] = cells.as_slice() else { panic!("three cells: {row}") };
            // What stands between back quotes.
            for word in words.split('`').skip(1).step_by(2) {
                let entry = (word.to_owned(), term.to_owned());
                match place {
                    "text" => {
                        let phrase = word.split_whitespace().map(str::to_lowercase).collect();
                        glossary.phrases.push((phrase, term.to_owned()));
                    }
                    "name" => glossary.names.push(entry),
                    "number" => glossary.numbers.push(entry),
                    _ => panic!("text, name or number: {row}"),
                }
            }
        }
        glossary
    }

    /// How many phrases, names and numbers there are.
    pub fn counts(&self) -> [usize; 3] {
        [self.phrases.len(), self.names.len(), self.numbers.len()]
    }

    pub fn phrases(&self) -> impl Iterator<Item = (&[String], &str)> {
        self.phrases.iter().map(|(phrase, term)| (phrase.as_slice(), term.as_str()))
    }

    /// The term for a name of code.
    pub fn name(&self, name: &str) -> Option<&str> {
        self.names.iter().find(|(word, _)| word == name).map(|(_, term)| term.as_str())
    }

    /// Term to use for a constant number of this name.
    pub fn number(&self, name: &str) -> Option<&str> {
        let fits = |word: &str| word.strip_suffix('*').map_or(word == name, |start| name.starts_with(start));
        self.numbers.iter().find(|(word, _)| fits(word)).map(|(_, term)| term.as_str())
    }
}
